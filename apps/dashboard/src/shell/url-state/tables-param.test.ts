import { expect, it } from 'vitest';
import { readTables, type TableView, writeTables } from './tables-param.ts';

it('the order and the search of several tables are the same after they were written to the URL', () => {
  const views = new Map<string, TableView>([
    ['errors', { sort: { column: 'last-seen', order: 'descending' }, search: '' }],
    ['services', { sort: undefined, search: 'a:b;c 100% %3A é' }],
    ['people', { sort: { column: 'user', order: 'ascending' }, search: ' grace' }],
  ]);
  const written = writeTables(views);
  expect(written).toBe('errors:-last-seen;services::a%3Ab%3Bc 100%25 %253A é;people:user: grace');
  expect(readTables(written ?? '')).toEqual(views);
});

it('a table in its default order and without a search is not in the URL', () => {
  expect(writeTables(new Map([['errors', { sort: undefined, search: '' }]]))).toBeUndefined();
});

it.each([
  '',
  ';;',
  'errors',
  'errors:',
  ':-count',
  'Errors:count',
  'errors:count:a:b',
  'errors:--x',
  '%:%:%',
])('the parameter %o gives no table an order or a search', (written) => {
  expect(readTables(written).size).toBe(0);
});

it('a search longer than the limit is cut', () => {
  expect(readTables(`errors::${'x'.repeat(500)}`).get('errors')?.search).toHaveLength(200);
});
