import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { findValueAt, findValueDifferences } from './value-difference.ts';

const differ = (left: CapturedValue, right: CapturedValue) =>
  findValueDifferences(left, right).found.map(({ path, left: one, right: other }) => [path, one, other]);

const UNDEFINED = { $type: 'undefined' } as const;

describe('the differences between two values', () => {
  it.each<[string, CapturedValue, CapturedValue, unknown]>([
    ['a member', { a: 1, b: 2 }, { a: 1, b: 3 }, [[['b'], 2, 3]]],
    ['a member that one side alone has', { a: 1 }, {}, [[['a'], 1, undefined]]],
    [
      'undefined against an object, as a whole',
      { entry: UNDEFINED },
      { entry: { rate: 1 } },
      [[['entry'], UNDEFINED, { rate: 1 }]],
    ],
    ['an item more', [1, 2], [1], [[[1], 2, undefined]]],
    ['a number against a text', { n: 1 }, { n: '1' }, [[['n'], 1, '1']]],
    [
      'an entry of a map, by its key',
      {
        $type: 'Map',
        size: 2,
        entries: [
          ['b', 2],
          ['a', 1],
        ],
      },
      {
        $type: 'Map',
        size: 2,
        entries: [
          ['a', 1],
          ['b', 3],
        ],
      },
      [[['b'], 2, 3]],
    ],
    [
      'nothing where a limit cut one side',
      { a: { $type: 'cut', of: 'object', reason: 'depth' } },
      { a: { b: 1 } },
      [],
    ],
    [
      'nothing between hidden texts',
      { $type: 'redacted', of: 'string' },
      { $type: 'redacted', of: 'string' },
      [],
    ],
    [
      'undefined where the other side was cut',
      UNDEFINED,
      { $type: 'cut', of: 'object', reason: 'depth' },
      [[[], UNDEFINED, { $type: 'cut', of: 'object', reason: 'depth' }]],
    ],
    [
      'texts of which only the beginnings were captured, by length',
      { $type: 'string', value: 'abc', length: 900 },
      { $type: 'string', value: 'abc', length: 901 },
      [[[], { $type: 'string', value: 'abc', length: 900 }, { $type: 'string', value: 'abc', length: 901 }]],
    ],
  ])('are found by their paths: %s', (_, left, right, expected) => {
    expect(differ(left, right)).toEqual(expected);
  });

  const value = fc.jsonValue({ maxDepth: 4 }).map((made): CapturedValue => JSON.parse(JSON.stringify(made)));

  it('are empty for a value and its copy', () => {
    fc.assert(
      fc.property(value, (made) => {
        expect(differ(made, structuredClone(made))).toEqual([]);
      }),
    );
  });

  it('are found again by their paths in both values', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        for (const difference of findValueDifferences(left, right).found) {
          expect(findValueAt(left, difference.path)).toEqual(difference.left);
          expect(findValueAt(right, difference.path)).toEqual(difference.right);
        }
      }),
    );
  });

  it('are limited in number, and so are the compared values', () => {
    const [left, right] = [1, 2].map((seed) => Array.from({ length: 1000 }, (_, at) => at * seed + 1));
    expect(findValueDifferences(left ?? [], right ?? [], { differences: 7, values: 500 }).found).toHaveLength(
      7,
    );
    expect(findValueDifferences(left ?? [], left?.slice() ?? [], { differences: 7, values: 5 }).looked).toBe(
      5,
    );
  });
});
