import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCompressedScale, buildEvenScale, shareAt } from '../scale/time-scale.ts';
import { formatInstant, formatRange, listTicks } from './ticks.ts';

const label = (fromMs: number, toMs: number, widthPx = 400) =>
  listTicks(buildEvenScale({ fromMs, toMs }), widthPx).map((tick) => tick.label);

describe('the labels of the axis', () => {
  it.each([
    [0, 1234, ['0 ms', '200 ms', '400 ms', '600 ms', '800 ms', '1.0 s']],
    [0, 0, ['0 ms']],
    [0, 0.4, ['0 ms', '100 µs', '200 µs', '300 µs']],
    [-20, 30, ['−20 ms', '−10 ms', '0 ms', '10 ms', '20 ms']],
    [1200, 1202, ['1.2000 s', '1.2005 s', '1.2010 s', '1.2015 s']],
    [2000, 2000.004, ['2.000000 s', '2.000001 s', '2.000002 s', '2.000003 s']],
    [2000, 2000.002, ['2.0000000 s', '2.0000005 s', '2.0000010 s', '2.0000015 s']],
  ])('from %d to %d ms are round numbers', (fromMs, toMs, labels) => {
    expect(label(fromMs, toMs)).toEqual(labels);
  });

  it('are fewer on a narrow axis', () => {
    expect(label(0, 1234, 200)).toEqual(['0 ms', '500 ms']);
  });

  it('are distinct and do not overlap, for any shown range', () => {
    const starts = fc.double({ min: -1000, max: 100_000, noNaN: true });
    const lengths = fc.double({ min: 0.01, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(starts, lengths, fc.integer({ min: 60, max: 1200 }), (fromMs, lengthMs, widthPx) => {
        const scale = buildEvenScale({ fromMs, toMs: fromMs + lengthMs });
        const ticks = listTicks(scale, widthPx);
        expect(new Set(ticks.map((tick) => tick.label)).size).toBe(ticks.length);
        let endPx = 0;
        for (const { ms, isBefore } of ticks) {
          const placePx = ((ms - fromMs) / lengthMs) * widthPx;
          expect(placePx - (isBefore ? 60 : 0)).toBeGreaterThanOrEqual(endPx - 0.1);
          endPx = placePx + (isBefore ? 0 : 60);
          expect(endPx).toBeLessThanOrEqual(widthPx + 0.1);
        }
      }),
    );
  });

  it('are not under the bands of compressed ranges', () => {
    const scale = buildCompressedScale({ fromMs: 0, toMs: 100 }, [{ fromMs: 4.2, toMs: 60 }]);
    const band = scale.find(({ idle }) => idle);
    for (let widthPx = 150; widthPx <= 1200; widthPx += 7) {
      const ticks = listTicks(scale, widthPx);
      expect(ticks.length).toBeGreaterThan(0);
      for (const { ms, label: text, isBefore } of ticks) {
        const placePx = shareAt(scale, ms) * widthPx;
        const textPx = text.length * 6.5 + 4;
        const [startPx, endPx] = isBefore ? [placePx - textPx, placePx] : [placePx, placePx + textPx];
        const isClear = endPx <= (band?.from ?? 0) * widthPx || startPx >= (band?.to ?? 0) * widthPx - 0.1;
        expect(isClear, `${text} at ${widthPx} px`).toBe(true);
      }
    }
  });
});

it('the shown range is rounded to a twentieth of its length', () => {
  expect(formatRange(buildEvenScale({ fromMs: 120, toMs: 180.04 }))).toBe('120 ms to 180 ms');
  expect(formatRange(buildEvenScale({ fromMs: 0.25, toMs: 1.5 }))).toBe('250 µs to 1.5 ms');
  expect(formatInstant(-0.05, 0.01)).toBe('−50 µs');
});
