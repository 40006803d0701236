import { expect, it } from 'vitest';
import { arrangeRows } from './arrange-rows.ts';
import { chooseNextSort, type TableColumn } from './table-column.ts';

interface Endpoint {
  readonly path: string;
  readonly p95: number | null;
  readonly id: string;
}

const COLUMNS: readonly TableColumn<Endpoint>[] = [
  { name: 'Endpoint', kind: 'text', value: ({ path }) => path, cell: ({ path }) => path },
  { name: 'P95', kind: 'number', value: ({ p95 }) => p95, cell: ({ p95 }) => p95 },
  { name: 'Trace ID', searched: ({ id }) => id, cell: () => null },
];
const ROWS: readonly Endpoint[] = [
  { path: 'GET /Café', p95: 5, id: 'aa' },
  { path: 'POST /orders/10', p95: null, id: 'bb' },
  { path: 'GET /orders/9', p95: 12, id: 'cc' },
  { path: 'GET /carts', p95: 5, id: 'dd' },
];
const arrange = (search: string, sort?: readonly [column: string, order: 'ascending' | 'descending']) =>
  arrangeRows(ROWS, COLUMNS, {
    search,
    sort: sort === undefined ? undefined : { column: sort[0], order: sort[1] },
  }).map(({ id }) => id);

it.each([
  ['orders get', 'cc'],
  ['CAFÉ', 'aa'],
  ['cafe\u0301', 'aa'],
  ['Dd', 'dd'],
  ['  ', 'aa,bb,cc,dd'],
  ['12', ''],
  ['.*', ''],
])('the search %o finds the rows that contain each of its words', (search, found) => {
  expect(arrange(search).join()).toBe(found);
});

it.each([
  ['p95', 'descending', 'cc,aa,dd,bb'],
  ['p95', 'ascending', 'aa,dd,cc,bb'],
  ['endpoint', 'ascending', 'aa,dd,cc,bb'],
  ['trace-id', 'ascending', 'aa,bb,cc,dd'],
  ['unknown', 'descending', 'aa,bb,cc,dd'],
] as const)(
  'rows sorted by %s, %s, keep the order of equal rows and end with rows without a value',
  (column, order, sorted) => {
    expect(arrange('', [column, order]).join()).toBe(sorted);
  },
);

it('the first click on a heading sorts in the usual order of the column, the second in the reverse order, and the third removes the sort', () => {
  const name = { name: 'First seen', kind: 'text' } as const;
  const first = chooseNextSort(name, { column: 'p95', order: 'descending' });
  expect(first).toEqual({ column: 'first-seen', order: 'ascending' });
  const second = chooseNextSort(name, first);
  expect(second).toEqual({ column: 'first-seen', order: 'descending' });
  expect(chooseNextSort(name, second)).toBeUndefined();
  expect(chooseNextSort({ name: 'P95', kind: 'number' }, undefined)?.order).toBe('descending');
});
