import { describe, expect, test } from 'vitest';
import { findFirstDifference, type ReadTrace } from '../comparison.ts';
import { readCalls } from '../read-calls.fixture.ts';

const REFUSED = { status: 409, body: { error: 'not available' } };
const LENT = { status: 201, body: { ok: true } };

/** Returns the text about the first difference between a refused request and four requests that succeeded. */
function say(build: (isRefused: boolean) => ReadTrace): string | undefined {
  const [right, ...goods] = [0, 1, 2, 3].map(() => build(false));
  return right && findFirstDifference(build(true), right, goods)?.text;
}

describe('a request that was refused before a function changed an object', () => {
  test.each([
    ['a variable', 'locals'],
    ['an argument', 'parameters'],
  ] as const)('has no difference in %s that only the other requests changed', (_, part) => {
    const build = (isRefused: boolean) => {
      const book = { id: 'b1', loans: [] };
      return readCalls(
        {
          name: 'postLoan',
          returns: null,
          calls: [
            { name: 'findBook', returns: book },
            {
              name: 'lend',
              inputs: { book },
              returns: null,
              [part]: { book: isRefused ? book : { ...book, loans: ['ava'] } },
              seenBefore: { book: ['2', 'return'] },
            },
          ],
        },
        {},
        isRefused ? REFUSED : LENT,
      );
    };
    expect(say(build)).toBeUndefined();
  });

  test.each([
    ['a variable', 'locals'],
    ['an argument', 'parameters'],
  ] as const)('differs in %s that only this request changed', (_, part) => {
    const build = (isRefused: boolean) => {
      const book = { id: 'b1', loans: ['eve'] };
      return readCalls(
        {
          name: 'postLoan',
          returns: null,
          calls: [
            { name: 'findBook', returns: book },
            {
              name: 'lend',
              inputs: { book },
              returns: null,
              [part]: { book: isRefused ? { ...book, loans: [] } : book },
              seenBefore: { book: ['2', 'return'] },
            },
          ],
        },
        {},
        isRefused ? REFUSED : LENT,
      );
    };
    expect(say(build)).toContain('`book.loans[0]` is nothing instead of "eve" in `lend`');
  });

  test('has a difference in an argument that both requests changed', () => {
    const build = (isRefused: boolean) => {
      const book = { id: 'b1', state: 'free' };
      return readCalls(
        {
          name: 'postLoan',
          returns: null,
          calls: [
            {
              name: 'lend',
              inputs: { book },
              returns: null,
              parameters: { book: { ...book, state: isRefused ? 'lost' : 'lent' } },
            },
          ],
        },
        {},
        isRefused ? REFUSED : LENT,
      );
    };
    expect(say(build)).toContain('`book.state` is "lost" instead of "lent" in `lend`');
  });
});
