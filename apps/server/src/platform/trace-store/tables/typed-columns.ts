import { z } from 'zod';
import { formatJsonField, formatMicrosField, formatTextField, NULL_FIELD } from '../rows/tab-separated.ts';
import { type Columns, defineColumns } from './columns.ts';

/** Defines how a column is written, and how it is read. */
export interface ColumnType<Value, Schema extends z.ZodType, Alias extends string | undefined = undefined> {
  readonly format: (value: Value) => string | number;
  /** Parses the column's value in a row that was read as JSON. */
  readonly schema: Schema;
  /**
   * The name under which a converted column is read. This name differs from the column's own name, because ClickHouse would otherwise use
   * the converted value in conditions.
   */
  readonly alias: Alias;
}

function define<Value, Schema extends z.ZodType>(
  format: (value: Value) => string | number,
  schema: Schema,
): ColumnType<Value, Schema> {
  return { format, schema, alias: undefined };
}

/** Text without characters that need an escape, such as an id. */
export const PLAIN = define((value: string) => value, z.string());
/** Any text. Lone surrogates are replaced when the row becomes UTF-8. */
export const TEXT = define(formatTextField, z.string());
/** JSON; an empty string if nothing was sent. */
export const JSON_TEXT = define(formatJsonField, z.string());
export const FLAG = define(Number as (value: boolean) => number, z.boolean());
/** An integer of at most 32 bits. */
export const NUMBER = define((value: number) => value, z.number());
/** An integer of 64 bits, which ClickHouse writes into JSON as a string. */
export const LONG_NUMBER = define((value: number) => value, z.coerce.number());
export const OPTIONAL_NUMBER = define(
  (value: number | null | undefined) => value ?? NULL_FIELD,
  z.number().nullable(),
);
/** Hashes, which are written but never read. */
export const HASHES = define((value: Iterable<string>) => `[${[...value].join(',')}]`, z.array(z.string()));

const Micros = z.string().transform(BigInt);

/** A time in epoch microseconds, read under the name `alias`. */
export function instant<Alias extends string>(alias: Alias): ColumnType<bigint, typeof Micros, Alias> {
  return { format: formatMicrosField, schema: Micros, alias };
}

/** The types of columns, by name. */
// biome-ignore lint/suspicious/noExplicitAny: a value's type is inferred for each column
export type ColumnTypes = Readonly<Record<string, ColumnType<any, z.ZodType, string | undefined>>>;

/** A row of these columns, to be written. */
export type RowOf<Types extends ColumnTypes> = {
  readonly [Name in keyof Types]: Parameters<Types[Name]['format']>[0];
};

/** Defines columns whose fields are formatted by the columns' types. */
export function defineTypedColumns<Types extends ColumnTypes>(
  types: Types,
): Columns<RowOf<Types>, keyof Types & string> {
  const fields = Object.entries(types).map(
    ([name, { format }]) => [name, (row: RowOf<Types>) => format(row[name])] as const,
  );
  // Safe cast: the fields have the names of the types.
  return defineColumns<RowOf<Types>>()(
    Object.fromEntries(fields) as Record<keyof Types & string, (row: RowOf<Types>) => string | number>,
  );
}

type ReadName<Types extends ColumnTypes, Name extends keyof Types> = Types[Name]['alias'] extends string
  ? Types[Name]['alias']
  : Name & string;

/** A SELECT list of columns, and the schema of its rows. */
export interface ColumnReader<Types extends ColumnTypes, Name extends keyof Types> {
  readonly sql: string;
  readonly row: z.ZodObject<{ [N in Name as ReadName<Types, N>]: Types[N]['schema'] }>;
}

/** Builds the SELECT list of columns and the schema that parses its rows. */
export function readColumns<Types extends ColumnTypes, Name extends keyof Types & string>(
  types: Types,
  names: readonly Name[],
): ColumnReader<Types, Name> {
  const columns = names.map((name) => {
    const { alias, schema } = types[name] ?? PLAIN;
    return alias === undefined
      ? { sql: name, as: name, schema }
      : { sql: `toString(toUnixTimestamp64Micro(${name})) AS ${alias}`, as: alias, schema };
  });
  const shape = Object.fromEntries(columns.map(({ as, schema }) => [as, schema]));
  return {
    sql: columns.map(({ sql }) => sql).join(', '),
    // Safe cast: the shape was built from the same names and types.
    row: z.object(shape) as unknown as ColumnReader<Types, Name>['row'],
  };
}
