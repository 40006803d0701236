/** Describes how objects of a kind are detected and which properties are shown. */
export interface Summary {
  /** The prototype that the objects inherit from, if it is accessible. */
  readonly is?: object;
  /** Used if `is` is absent: names of methods, all of which one prototype of the objects must have. */
  readonly has?: readonly string[];
  /** The name of the objects' class, if needed to distinguish them. */
  readonly named?: string;
  /** The class name to show, if the class has no name or an unhelpful one. */
  readonly as?: string;
  /** The shown properties, in order: `name`, or `name: path.to.value`. Undefined and null are skipped. */
  readonly shows?: readonly string[];
  /** Names of own properties that are not shown. If absent, only the properties in `shows` are shown. */
  readonly but?: string;
  /** True to hide properties whose names begin with `_` or `$`, which are private to the class. */
  readonly hidesPrivate?: boolean;
  /** Path to the object that contains the fields users see as the object's own, such as a model's columns. All its fields are shown. */
  readonly fieldsOf?: string;
}

/** A {@link Summary}, parsed. */
export interface PreparedSummary {
  readonly as: string | undefined;
  readonly fields: readonly SummaryField[];
  /** Null: only the listed fields are shown. Not a Set, because the host can replace Set's methods. */
  readonly hidden: Names | null;
  readonly hidesPrivate: boolean;
  readonly fieldsOf: string | undefined;
}

export interface SummaryField {
  readonly name: string;
  readonly path: readonly string[];
}

export type Names = { readonly [name: string]: true };

export function prepareSummary({
  as,
  shows = [],
  but,
  hidesPrivate = false,
  fieldsOf,
}: Summary): PreparedSummary {
  const fields = shows.map((field) => {
    const [name = '', path = name] = field.split(': ');
    return { name, path: path.split('.') };
  });
  // A property that is a listed field is not shown twice.
  const hidden =
    but === undefined ? null : buildTable([...but.split(/\s+/), ...fields.map(({ name }) => name)]);
  return { as, fields, hidden, hidesPrivate, fieldsOf };
}

function buildTable(names: readonly string[]): Names {
  const table: Record<string, true> = Object.create(null);
  for (const name of names) table[name] = true;
  return table;
}
