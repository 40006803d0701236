import { expect, test } from 'vitest';
import { countShownDays } from './scope.ts';

const DAY_MICROS = 86_400_000_000n;

test.each([
  ['just before', -2000n],
  ['at', 0n],
  ['just after', 2000n],
])('a plan of 90 days shows 90 days, even if its limit was computed %s the current time', (_when, micros) => {
  const now = new Date('2026-11-30T12:00:00.000Z');
  const computedAt = BigInt(now.getTime()) * 1000n + micros;
  expect(countShownDays({ shownSince: computedAt - 90n * DAY_MICROS }, now)).toBe(90);
});
