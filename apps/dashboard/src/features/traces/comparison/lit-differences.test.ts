import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { listValueRows } from '../../../visuals/values/value-rows.ts';
import { findLitDifferences } from './lit-differences.ts';

/** Returns the paths of the marked rows in the two trees. In each tree, only the parents of marked rows are open. */
function listLit(left: CapturedValue, right: CapturedValue): [string[], string[]] {
  const lit = findLitDifferences(left, right);
  const paths = (value: CapturedValue, found: typeof lit.left) =>
    listValueRows(value, [], new Set(), found).flatMap((row) =>
      row.kind === 'value' && row.hit ? [row.path] : [],
    );
  return [paths(left, lit.left), paths(right, lit.right)];
}

test('a differing member is marked in both trees, and its parents are open', () => {
  const order = (country: string) => ({ order: { items: [1, 2], address: { country, city: 'Ely' } } });
  expect(listLit(order('UK'), order('GB'))).toEqual([['order.address.country'], ['order.address.country']]);
});

test('a member that only one request has is marked only there', () => {
  expect(listLit({ a: 1, b: [1, 2] }, { a: 1, b: [1] })).toEqual([['b[1]'], []]);
});

test('two values of different types are marked as a whole', () => {
  expect(listLit({ $type: 'undefined' }, { rate: 0.2, name: 'VAT' })).toEqual([[''], ['rate', 'name']]);
});

test('a differing entry of a map is marked, and its path contains the key of the entry', () => {
  const map = (value: number) =>
    ({
      rates: {
        $type: 'Map',
        size: 2,
        entries: [
          ['DE', 1],
          ['GB', value],
        ],
      },
    }) as CapturedValue;
  expect(listLit(map(2), map(3))).toEqual([['rates.get("GB")'], ['rates.get("GB")']]);
});

test('equal values have no marked rows', () => {
  const value = { order: { total: 100 } };
  expect(findLitDifferences(value, { ...value })).toEqual({ left: undefined, right: undefined });
});
