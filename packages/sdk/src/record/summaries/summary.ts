/** How objects of one kind are known, and what of them is worth showing. */
export interface Summary {
  /** The prototype that they inherit from, where it can be had. */
  readonly is?: object;
  /** Otherwise: own names of one of the prototypes that they inherit from, all of them. */
  readonly has?: readonly string[];
  /** The name of their class, where that is needed to tell them apart. */
  readonly named?: string;
  /** Their class as it is shown, where it has none or one that says nothing. */
  readonly as?: string;
  /** The shown properties, in order: `name`, or `name: path.to.it`. Skips undefined and null. */
  readonly shows?: readonly string[];
  /** The names of own properties that are not shown; without it none is but those of `shows`. */
  readonly but?: string;
  /** Names that begin with `_` or `$` are the class's own business, too. */
  readonly hidesPrivate?: boolean;
  /** Where the fields are that a person thinks of as the object's: all of them are shown. */
  readonly fieldsOf?: string;
}

/** A {@link Summary} as it is used. */
export interface PreparedSummary {
  readonly as: string | undefined;
  readonly fields: readonly SummaryField[];
  /** Null: no other properties are shown. Looked up without a method: the host may have replaced those of Set. */
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
  // A property with an entry of its own is not shown twice.
  const hidden =
    but === undefined ? null : buildTable([...but.split(/\s+/), ...fields.map(({ name }) => name)]);
  return { as, fields, hidden, hidesPrivate, fieldsOf };
}

function buildTable(names: readonly string[]): Names {
  const table: Record<string, true> = Object.create(null);
  for (const name of names) table[name] = true;
  return table;
}
