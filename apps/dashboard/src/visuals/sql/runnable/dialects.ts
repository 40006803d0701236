import type { SqlDialect } from './find-placeholders.ts';
import {
  type BoundValue,
  guardSign,
  type Literal,
  type LiteralWriter,
  quotePlain,
  withoutLiteral,
} from './literals.ts';

/** Drivers of SQLite that bind every number as REAL. Without the decimal point, `7 / 2` would give 3, and not 3.5. */
const BINDS_REAL = new Set(['better-sqlite3', 'node:sqlite']);

/** Returns the writer of a dialect. `driver` is the name of the driver that bound the values. */
export function getLiteralWriter(dialect: SqlDialect, driver: string | undefined): LiteralWriter {
  if (dialect === 'postgresql') return { dialect, write: writePostgres };
  if (dialect === 'mysql') return { dialect, write: writeMySql };
  const bindsReal = driver !== undefined && BINDS_REAL.has(driver);
  return { dialect, write: (value) => writeSqlite(value, bindsReal) };
}

function writePostgres(value: BoundValue): Literal {
  switch (value.kind) {
    case 'null':
      return { sql: 'NULL' };
    case 'boolean':
      return { sql: String(value.value) };
    case 'number':
      return Number.isFinite(value.value)
        ? { sql: guardSign(String(value.value)) }
        : { sql: `'${value.value}'::float8` };
    case 'bigint':
      return { sql: guardSign(value.digits) };
    case 'text':
      return quotePostgres(value.value);
    case 'date':
      return { sql: `'${value.iso}'::timestamptz` };
    case 'bytes':
      return { sql: `'\\x${value.hex}'::bytea` };
    case 'list': {
      const text = writePostgresArray(value.items);
      return text === undefined ? withoutLiteral : quotePostgres(text);
    }
    case 'object':
      return quotePostgres(value.json);
    case 'missing':
      return { missing: value.why };
  }
}

/** Quotes a string. A string with a backslash is written as `E'…'`, whose meaning does not depend on `standard_conforming_strings`. */
function quotePostgres(text: string): Literal {
  if (!text.includes('\\')) return quotePlain(text);
  const quoted = quotePlain(text.replaceAll('\\', '\\\\'));
  return 'sql' in quoted ? { sql: `E${quoted.sql}` } : quoted;
}

/**
 * Writes an array as the text that drivers send, such as `{"a","b"}`. `ARRAY['a', 'b']` always has the type text[], but the text gets the
 * type that its position requires: `id = ANY('{…}')` also works if `id` is a uuid.
 */
function writePostgresArray(items: readonly BoundValue[]): string | undefined {
  const parts = items.map(writePostgresItem);
  return parts.includes(undefined) ? undefined : `{${parts.join(',')}}`;
}

function writePostgresItem(item: BoundValue): string | undefined {
  switch (item.kind) {
    case 'null':
      return 'NULL';
    case 'list':
      return writePostgresArray(item.items);
    case 'boolean':
    case 'number':
      return quoteItem(String(item.value));
    case 'bigint':
      return quoteItem(item.digits);
    case 'text':
      return item.value.includes('\0') ? undefined : quoteItem(item.value);
    case 'date':
      return quoteItem(item.iso);
    case 'bytes':
      return quoteItem(`\\x${item.hex}`);
    case 'object':
      return quoteItem(item.json);
    case 'missing':
      return undefined;
  }
}

function quoteItem(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

const MYSQL_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  '\\': '\\\\',
  "'": "''",
};

function writeMySql(value: BoundValue, isAfterSet: boolean): Literal {
  switch (value.kind) {
    case 'null':
      return { sql: 'NULL' };
    case 'boolean':
      return { sql: String(value.value) };
    case 'number':
      return Number.isFinite(value.value) ? { sql: guardSign(String(value.value)) } : withoutLiteral;
    case 'bigint':
      return { sql: guardSign(value.digits) };
    case 'text':
      return quoteMySql(value.value);
    case 'date':
      return { sql: `'${value.iso.replace('T', ' ').replace('Z', '')}'` };
    case 'bytes':
      return { sql: `X'${value.hex}'` };
    case 'list':
      return writeMySqlList(value.items);
    case 'object':
      return isAfterSet ? writeAssignments(value.members) : quoteMySql(value.json);
    case 'missing':
      return { missing: value.why };
  }
}

function quoteMySql(text: string): Literal {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that MySQL escapes
  return { sql: `'${text.replace(/[\0\b\t\n\r\x1a\\']/g, (found) => MYSQL_ESCAPES[found] ?? found)}'` };
}

/** Writes a list as MySQL's drivers do: `1, 2` for `IN (?)`, and `(1, 2), (3, 4)` for `VALUES ?`. */
function writeMySqlList(items: readonly BoundValue[]): Literal {
  const parts: string[] = [];
  for (const item of items) {
    const literal = writeMySql(item, false);
    if ('missing' in literal) return literal;
    parts.push(item.kind === 'list' ? `(${literal.sql})` : literal.sql);
  }
  return parts.length === 0 ? withoutLiteral : { sql: parts.join(', ') };
}

function writeAssignments(members: readonly (readonly [string, BoundValue])[]): Literal {
  const parts: string[] = [];
  for (const [name, value] of members) {
    const literal = writeMySql(value, false);
    if ('missing' in literal) return literal;
    parts.push(`${quoteIdentifier(name)} = ${literal.sql}`);
  }
  return parts.length === 0 ? withoutLiteral : { sql: parts.join(', ') };
}

/** Quotes a name of MySQL. A dot separates a table from its column, as in the drivers. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``').replaceAll('.', '`.`')}\``;
}

function writeSqlite(value: BoundValue, bindsReal: boolean): Literal {
  switch (value.kind) {
    case 'null':
      return { sql: 'NULL' };
    case 'boolean':
      return { sql: value.value ? '1' : '0' };
    case 'number':
      return { sql: writeSqliteNumber(value.value, bindsReal) };
    case 'bigint':
      return isInt64(value.digits) ? { sql: guardSign(value.digits) } : withoutLiteral;
    case 'text':
      return quotePlain(value.value);
    case 'date':
      return { sql: writeSqliteNumber(Date.parse(value.iso), bindsReal) };
    case 'bytes':
      return { sql: `X'${value.hex}'` };
    case 'list':
    case 'object':
      return withoutLiteral;
    case 'missing':
      return { missing: value.why };
  }
}

/** SQLite binds NaN as NULL, and reads a number beyond the range as infinity. */
function writeSqliteNumber(value: number, bindsReal: boolean): string {
  if (Number.isNaN(value)) return 'NULL';
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '(-9e999)';
  const digits = Object.is(value, -0) ? '-0' : String(value);
  const isReal = bindsReal || Object.is(value, -0) || !Number.isSafeInteger(value);
  return guardSign(isReal && /^-?\d+$/.test(digits) ? `${digits}.0` : digits);
}

function isInt64(digits: string): boolean {
  return digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}
