import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, computeMinWidth, moveColumn, toggleColumn } from './columns.ts';

const columns = ['method', 'path', 'status', 'steps'].map((id) => ({
  id,
  name: id,
  width: '1fr',
  cell: () => null,
}));
const shown = (wanted: readonly string[] | undefined) =>
  arrange(columns, wanted, ['path', 'status']).map(({ id }) => id);

describe('the columns of a list', () => {
  it.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, ['path', 'status']],
    [
      ['steps', 'method'],
      ['steps', 'method'],
    ],
    [['gone', 'steps', 'steps'], ['steps']],
    [['gone'], ['path', 'status']],
    [[], ['path', 'status']],
  ])('for the stored ids %j are %j', (wanted, ids) => {
    expect(shown(wanted)).toEqual(ids);
  });

  it('can be shown and hidden one by one, but not all hidden', () => {
    expect(toggleColumn(['a', 'b'], 'c')).toEqual(['a', 'b', 'c']);
    expect(toggleColumn(['a', 'b'], 'a')).toEqual(['b']);
    expect(toggleColumn(['a'], 'a')).toEqual(['a']);
  });

  it('can be moved in the table, at most to its first or last position', () => {
    const ids = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(ids, fc.constantFrom('a', 'b', 'x'), fc.integer({ min: -9, max: 9 }), (before, id, by) => {
        const after = moveColumn(before, id, by);
        expect(after.toSorted()).toEqual(before.toSorted());
        const from = before.indexOf(id);
        if (from >= 0) expect(after.indexOf(id)).toBe(Math.min(before.length - 1, Math.max(0, from + by)));
      }),
    );
  });
});

it('a table’s minimum width is the sum of the minimum widths of its columns, its gaps and its padding', () => {
  expect(computeMinWidth([{ width: '16px' }, { width: 'minmax(112px, 1fr)' }, { width: '1fr' }])).toBe(176);
});
