/** Describes how a kind of objects is recognized, and which properties of these objects are shown. */
export interface Summary {
  /** The prototype from which the objects inherit, if the SDK can access it. */
  readonly is?: object;
  /** Used if `is` is absent: names of methods. A prototype of the objects must have all of them. */
  readonly has?: readonly PropertyKey[];
  /** Paths at which an object must have data. Needed if other objects can have the same prototype. */
  readonly needs?: readonly string[];
  /** The class name of the objects, if it is needed to distinguish them from others. */
  readonly named?: string;
  /** The class name to show, if the class has no name or an unhelpful one. */
  readonly as?: string;
  /** The shown properties, in order: `name`, or `name: path.to.value`. Undefined and null are skipped. */
  readonly shows?: readonly string[];
  /** Functions that compute the values of shown properties. They must not run code of the host. */
  readonly reads?: { readonly [name: string]: ReadValue };
  /**
   * Names of own properties that are not shown; all other own properties are shown. If absent, only the properties in `shows` are shown.
   */
  readonly but?: string;
  /** True to hide properties whose names begin with `_` or `$`, which are private to the class. */
  readonly hidesPrivate?: boolean;
  /**
   * Name of a property that contains another object, such as the object with a model's columns. Users see the fields of that object as
   * fields of the outer object, so all of them are shown.
   */
  readonly fieldsOf?: string;
}

/** Describes plain objects, which no class or method distinguishes. */
export interface PlainSummary extends Summary {
  /** Name of the first own property of the objects. */
  readonly first: string;
}

type ReadValue = (object: object) => unknown;

export interface PreparedSummary {
  readonly needs: readonly (readonly string[])[];
  /** The summary for objects that lack data at `needs`; null if they are ordinary objects. */
  readonly otherwise: PreparedSummary | null;
  readonly as: string | undefined;
  readonly fields: readonly SummaryField[];
  /**
   * Names of own properties that are not shown. Null if only the listed fields are shown. Not a Set, because the host can replace Set's
   * methods.
   */
  readonly hidden: Names | null;
  readonly hidesPrivate: boolean;
  readonly fieldsOf: string | undefined;
}

export interface SummaryField {
  readonly name: string;
  readonly path: readonly string[];
  /** Computes the value; undefined if the value is read at `path`. */
  readonly read: ReadValue | undefined;
}

export type Names = { readonly [name: string]: true };

export function prepareSummary({
  as,
  needs = [],
  shows = [],
  reads = {},
  but,
  hidesPrivate = false,
  fieldsOf,
}: Summary): PreparedSummary {
  const fields = shows.map((field) => {
    const [name = '', path = name] = field.split(': ');
    return { name, path: path.split('.'), read: reads[name] };
  });
  // The listed fields are added to the hidden properties, so that no property is shown twice.
  const hidden =
    but === undefined ? null : buildTable([...but.split(/\s+/), ...fields.map(({ name }) => name)]);
  return {
    needs: needs.map((path) => path.split('.')),
    otherwise: null,
    as,
    fields,
    hidden,
    hidesPrivate,
    fieldsOf,
  };
}

function buildTable(names: readonly string[]): Names {
  const table: Record<string, true> = Object.create(null);
  for (const name of names) table[name] = true;
  return table;
}
