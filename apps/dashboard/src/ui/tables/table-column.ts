import type { ReactNode } from 'react';

/** A cell's value, by which rows are sorted and searched. Null for an empty cell: rows with an empty cell come last in both orders. */
type CellValue = string | number | null;

/** A column of a table that can be sorted. */
export interface TableColumn<Row> {
  readonly name: string;
  /** Renders a cell; null if there is no data. */
  readonly cell: (row: Row) => ReactNode;
  /**
   * The first click on the heading sorts texts from A to Z, ranks from 0, numbers from the largest, and times from the newest. Without a
   * kind, rows cannot be sorted by the column. Numbers are aligned to the right.
   */
  readonly kind?: 'text' | 'rank' | 'number' | 'time';
  /** True if the rows cannot be sorted in the reverse order. */
  readonly oneOrder?: boolean;
  /** The value by which rows are sorted and searched. Left out if the server sorts and searches the rows. */
  readonly value?: (row: Row) => CellValue;
  /** The text in which a search looks. Left out if a search looks in `value`, or ignores the column. */
  readonly searched?: (row: Row) => string;
  readonly className?: string | undefined;
  /** True if long values wrap. Titles wrap too. */
  readonly wraps?: boolean;
  /** True if the column's cells are the headings of their rows. */
  readonly isRowHeading?: boolean;
  /** True if only assistive technology needs the heading. */
  readonly hiddenHead?: boolean;
  /** The position of the cell in a card: `title` is the first line, and `plain` is a line without a label. */
  readonly card?: 'title' | 'plain';
}

/** A list of at most this number of rows needs no search. */
export const MAX_UNSEARCHED = 5;

export interface TableSort {
  /** The id of the column, see {@link toTableId}. */
  readonly column: string;
  readonly order: 'ascending' | 'descending';
}

/** Returns the id of a table or a column in URLs, from its name: `avg-response-time`. */
export function toTableId(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Returns the order in which the first click on the column's heading sorts the rows. */
export function findFirstOrder({ kind }: Pick<TableColumn<never>, 'kind'>): TableSort['order'] {
  return kind === 'text' || kind === 'rank' ? 'ascending' : 'descending';
}

/**
 * Returns the sort after a click on a column's heading: first the column's usual order, then the reverse, then the default order of the
 * rows.
 */
export function chooseNextSort<Row>(
  { name, kind, oneOrder }: Pick<TableColumn<Row>, 'name' | 'kind' | 'oneOrder'>,
  sort: TableSort | undefined,
): TableSort | undefined {
  const column = toTableId(name);
  const first = findFirstOrder(kind === undefined ? {} : { kind });
  if (sort?.column !== column) return { column, order: first };
  if (sort.order !== first || oneOrder === true) return undefined;
  return { column, order: first === 'ascending' ? 'descending' : 'ascending' };
}
