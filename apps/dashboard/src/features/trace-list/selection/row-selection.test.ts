import { describe, expect, it } from 'vitest';
import {
  countSelected,
  EMPTY_SELECTION,
  isSelected,
  toggleListed,
  toggleRange,
  toggleRow,
} from './row-selection.ts';

const listed = ['a', 'b', 'c', 'd', 'e'];
const some = (...ids: string[]) => new Set(ids);

describe('selected rows', () => {
  it('are toggled one by one', () => {
    const one = toggleRow(EMPTY_SELECTION, 'b', listed);
    expect(one).toEqual(some('b'));
    expect(toggleRow(one, 'd', listed)).toEqual(some('b', 'd'));
    expect(toggleRow(one, 'b', listed)).toEqual(EMPTY_SELECTION);
  });

  it.each([
    ['b', 'd'],
    ['d', 'b'],
  ])('are toggled as a range from %s to %s', (from, to) => {
    expect(toggleRange(some(from), { from, to }, listed)).toEqual(some('b', 'c', 'd'));
    expect(toggleRange(some(...listed), { from, to }, listed)).toEqual(some('a', 'e'));
  });

  it('gain only the clicked row if the row at the other end of the range is no longer listed', () => {
    expect(toggleRange(some('gone'), { from: 'gone', to: 'c' }, listed)).toEqual(some('gone', 'c'));
  });

  it('become all listed rows when all rows are toggled, and none when all rows are toggled again', () => {
    const all = toggleListed(some('b'), listed);
    expect(all).toEqual(some(...listed));
    expect(toggleListed(all, listed)).toEqual(EMPTY_SELECTION);
    expect(toggleListed('all', listed)).toEqual(EMPTY_SELECTION);
  });

  it('can be all matching traces; deselecting a row leaves the other listed rows selected', () => {
    expect(isSelected('all', 'not listed')).toBe(true);
    expect(countSelected('all', 1204)).toBe(1204);
    expect(toggleRow('all', 'b', listed)).toEqual(some('a', 'c', 'd', 'e'));
    expect(toggleRange('all', { from: 'a', to: 'c' }, listed)).toEqual(some('d', 'e'));
  });
});
