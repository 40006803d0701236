import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawSparkline } from './sparkline-path.ts';

it.each([
  ['no values', [], 0, ''],
  ['a single value', [3], 3, 'M50 2h0.01'],
  ['from zero to the maximum', [0, 10], 10, 'M25 22h0.01L75 2'],
  ['all values zero', [0, 0], 0, 'M25 22h0.01L75 22'],
  ['a gap and an isolated value', [1, null, 1, 1], 2, 'M12.5 12h0.01M62.5 12h0.01L87.5 12'],
  ['only unknown values', [null, null], 5, ''],
  ['a value above the maximum', [20, 5], 10, 'M25 2h0.01L75 12'],
])('a sparkline is drawn for %s', (_what, values, top, path) => {
  expect(drawSparkline(values, top)).toBe(path);
});

it('a sparkline has every value at its position, and is broken at missing values', () => {
  const value = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 60 }),
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      (values, top) => {
        const commands = [...drawSparkline(values, top).matchAll(/([ML])(\S+) ([\d.]+)(h0\.01)?/g)];
        const expected = values.flatMap((value, index) => {
          if (value === null) return [];
          // The values are in the middle of columns of equal width. Two of the 24 pixels are free above and below the line.
          const x = (100 / values.length) * (index + 0.5);
          const share = top === 0 ? 0 : Math.min(value, top) / top;
          return [{ begins: values[index - 1] == null, x, y: 22 - 20 * share }];
        });
        expect(commands.map(([, letter, x, y, dot]) => [letter, Number(x), Number(y), dot])).toEqual(
          expected.map(({ begins, x, y }) => [
            begins ? 'M' : 'L',
            expect.closeTo(x, 1),
            expect.closeTo(y, 1),
            begins ? 'h0.01' : undefined,
          ]),
        );
      },
    ),
  );
});
