import { expect, test } from 'vitest';
import { aComparedCall } from './compared-call.fixture.ts';
import { listComparedRows } from './compared-rows.ts';
import { chooseFoldAction, listEqualBranches, listShownRows, unfoldAbove } from './folded-rows.ts';

/** A tree: `a` called `b` and `d`, and `b` called `c`; `e` is on the top level. */
const ROWS = listComparedRows(
  [['a', 0] as const, ['b', 1] as const, ['c', 2] as const, ['d', 1] as const, ['e', 0] as const].map(
    ([name, depth]) => aComparedCall(name, { depth }),
  ),
);
const show = (...folded: string[]) => listShownRows(ROWS, new Set(folded));
const names = (...folded: string[]) => show(...folded).map(({ key, below }) => `${key} ${below}`);

test('the calls below a folded row are not listed, and each row knows how many calls are below it', () => {
  expect(names()).toEqual(['a 3', 'b 1', 'c 0', 'd 0', 'e 0']);
  expect(names('b')).toEqual(['a 3', 'b 1', 'd 0', 'e 0']);
  expect(names('a')).toEqual(['a 3', 'e 0']);
  expect(names('c', 'e')).toEqual(names());
});

test('the rows above a row are unfolded to show the row, and all other rows stay folded', () => {
  const unfold = (key: string | undefined, ...folded: string[]) => [
    ...unfoldAbove(ROWS, new Set(folded), key),
  ];
  expect(unfold('c', 'a', 'b')).toEqual([]);
  expect(unfold('d', 'a', 'b')).toEqual(['b']);
  expect(unfold('a', 'a', 'b')).toEqual(['a', 'b']);
  expect(unfold(undefined, 'a')).toEqual(['a']);
});

/** Changes the call `name` of `ROWS` by `more`, and lists the equal branches of the changed rows. */
function equalBranches(name: string, more: Parameters<typeof aComparedCall>[1]): readonly string[] {
  const rows = ROWS.map((row) =>
    row.key === name ? { ...row, step: { ...row.step, ...more }, ms: more?.duration ?? row.ms } : row,
  );
  return [...listEqualBranches(rows)];
}

test('a branch is equal if neither its call nor a call below it differs', () => {
  expect(equalBranches('e', { differences: 1 })).toEqual(['a']);
  expect(equalBranches('d', { unusual: 1 })).toEqual(['b']);
  expect(equalBranches('a', { failed: true })).toEqual(['b']);
  expect(equalBranches('d', { moved: true })).toEqual(['b']);
  expect(equalBranches('d', { duration: 90 })).toEqual(['b']);
  expect(equalBranches('c', { differences: 1 })).toEqual([]);
  expect(equalBranches('c', { otherFailed: true })).toEqual([]);
});

test('no branch is equal if the requests do not differ at all', () => {
  expect([...listEqualBranches(ROWS)]).toEqual([]);
});

/** Presses a keyboard key on the row `name`. Returns `toggle`, the row that the key selects, or undefined if the key does nothing. */
function press(key: string, name: string, ...folded: string[]): string | undefined {
  const shown = show(...folded);
  const row = shown.find((each) => each.key === name) ?? expect.fail();
  const action = chooseFoldAction(key, row, shown);
  return typeof action === 'object' ? action.select.key : action;
}

test('the left arrow key folds an unfolded row, and otherwise selects the caller', () => {
  expect(press('ArrowLeft', 'a')).toBe('toggle');
  expect(press('ArrowLeft', 'd')).toBe('a');
  expect(press('ArrowLeft', 'b', 'b')).toBe('a');
  expect(press('ArrowLeft', 'a', 'a')).toBeUndefined();
});

test('the right arrow key unfolds a folded row, and otherwise selects the first call below', () => {
  expect(press('ArrowRight', 'a', 'a')).toBe('toggle');
  expect(press('ArrowRight', 'b')).toBe('c');
  expect(press('ArrowRight', 'c')).toBeUndefined();
  expect(press('Enter', 'a')).toBeUndefined();
});
