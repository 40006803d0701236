import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SPARK_BOX, sparklinePath } from './sparkline-path.ts';

it.each([
  ['nothing', [], 0, ''],
  ['one value', [3], 3, 'M50 2h0.01'],
  ['from nothing to the most', [0, 10], 10, 'M25 22h0.01L75 2'],
  ['all the same at zero', [0, 0], 0, 'M25 22h0.01L75 22'],
  ['a gap, and a value alone', [1, null, 1, 1], 2, 'M12.5 12h0.01M62.5 12h0.01L87.5 12'],
  ['nothing known', [null, null], 5, ''],
  ['more than the head', [20, 5], 10, 'M25 2h0.01L75 12'],
])('%s', (_what, values, top, path) => {
  expect(sparklinePath(values, top)).toBe(path);
});

it('draws every value, within the box', () => {
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
