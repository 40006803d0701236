import { type TableColumn, type TableSort, toTableId } from './table-column.ts';

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Returns the rows that contain each word of the search, sorted. Rows with equal values keep their order; without a sort, all rows keep
 * their order.
 */
export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { search, sort }: { readonly search: string; readonly sort: TableSort | undefined },
): readonly Row[] {
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const found =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = fold(columns.map((column) => readText(column, row)).join('\n'));
          return words.every((word) => text.includes(word));
        });
  const by = columns.find(({ name, value }) => value !== undefined && toTableId(name) === sort?.column);
  if (by?.value === undefined || sort === undefined) return found;
  const { value: read } = by;
  const sign = sort.order === 'ascending' ? 1 : -1;
  return found.toSorted((a, b) => {
    const [one, other] = [read(a), read(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * compare(one, other);
  });
}

/** Normalizes a text, so that a search ignores upper and lower case, and the encoding of accents. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function readText<Row>({ searched, value }: TableColumn<Row>, row: Row): string {
  if (searched !== undefined) return searched(row);
  const read = value?.(row);
  return typeof read === 'string' ? read : '';
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  return collator.compare(String(a), String(b));
}
