import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SPARK_BOX, sparklinePath } from './sparkline-path.ts';

it.each([
  ['no values', [], 0, ''],
  ['a single value', [3], 3, 'M50 2h0.01'],
  ['from zero to the maximum', [0, 10], 10, 'M25 22h0.01L75 2'],
  ['all values zero', [0, 0], 0, 'M25 22h0.01L75 22'],
  ['a gap and an isolated value', [1, null, 1, 1], 2, 'M12.5 12h0.01M62.5 12h0.01L87.5 12'],
  ['only unknown values', [null, null], 5, ''],
  ['a value above the maximum', [20, 5], 10, 'M25 2h0.01L75 12'],
])('a sparkline is drawn for %s', (_what, values, top, path) => {
  expect(sparklinePath(values, top)).toBe(path);
});

it('a sparkline has every value, within its box', () => {
  const value = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 60 }),
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      (values, top) => {
        const places = [...sparklinePath(values, top).matchAll(/[ML]([\d.]+) ([\d.]+)/g)];
        expect(places).toHaveLength(values.filter((one) => one !== null).length);
        for (const [, x, y] of places) {
          expect(Number(x)).toBeLessThanOrEqual(SPARK_BOX.width);
          expect(Number(y)).toBeLessThanOrEqual(SPARK_BOX.height);
        }
      },
    ),
  );
});
