/** A value that is already a field in TabSeparated format. */
type Field = string | number | bigint;

/** A group of columns of a table, written together for each row. */
export interface Columns<Row, Name extends string = string> {
  readonly names: readonly Name[];
  /** Formats the fields of a row in the order of `names`, without a line end. */
  readonly write: (row: Row) => string;
}

/** Defines columns, each with the function that formats its field. A row's fields are written in the order of the definition. */
export function defineColumns<Row>() {
  return <Name extends string>(fields: Readonly<Record<Name, (row: Row) => Field>>): Columns<Row, Name> => {
    // Safe cast: Object.keys returns the names of the object's own members, which the type lists.
    const names = Object.keys(fields) as Name[];
    const [first, ...rest] = names.map((name) => fields[name]);
    if (first === undefined) throw new TypeError('the table has no columns');
    const write = (row: Row) => {
      let text = `${first(row)}`;
      for (let index = 0; index < rest.length; index++) text += `\t${rest[index]?.(row)}`;
      return text;
    };
    return { names, write };
  };
}
