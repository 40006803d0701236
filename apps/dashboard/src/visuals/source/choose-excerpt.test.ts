import { describe, expect, it } from 'vitest';
import type { SourceLine } from './annotate-source.ts';
import { chooseExcerpt } from './choose-excerpt.ts';

describe('the excerpt of a function', () => {
  it('contains the first line, the line that threw, and the lines around it', () => {
    expect(chooseNumbers(30, { thrown: 20 })).toEqual([1, 19, 20, 21]);
  });

  it('contains the lines with values that are nearest to the line that threw', () => {
    expect(chooseNumbers(30, { thrown: 20, valued: [2, 3, 16, 17, 25, 30] })).toEqual([
      1, 16, 17, 19, 20, 21, 25,
    ]);
  });

  it('begins at the top of a function that did not throw', () => {
    expect(chooseNumbers(30, { valued: [2, 4, 6, 8, 10, 12, 14, 16] })).toEqual([1, 2, 4, 6, 8, 10, 12]);
  });

  it('contains the first line only once if it is also the line that threw', () => {
    expect(chooseNumbers(1, { thrown: 1 })).toEqual([1]);
    expect(chooseNumbers(3, { thrown: 1 })).toEqual([1, 2]);
  });

  it('is empty if no line threw or has a value', () => {
    expect(chooseNumbers(30, {})).toEqual([]);
    expect(chooseNumbers(0, {})).toEqual([]);
  });
});

function chooseNumbers(
  count: number,
  { thrown, valued = [] }: { readonly thrown?: number; readonly valued?: readonly number[] },
): number[] {
  const lines = Array.from({ length: count }, (_, at): SourceLine => {
    const number = at + 1;
    return {
      number,
      tokens: [],
      values: valued.includes(number) ? [{ label: 'id', text: '17' }] : [],
      isThrown: number === thrown,
      isRun: undefined,
    };
  });
  return chooseExcerpt(lines).map(({ number }) => number);
}
