import { expect, test } from 'vitest';
import { readMonotonicMicros } from '../../record/clock.ts';
import { stepMicros } from './time.ts';

test('a time in each form of the API is converted to the clock of the steps', () => {
  const epochMs = performance.timeOrigin + performance.now();
  const seconds = Math.floor(epochMs / 1000);
  for (const time of [
    epochMs,
    performance.now(),
    new Date(epochMs),
    [seconds, (epochMs % 1000) * 1e6] as [number, number],
  ])
    expect(Math.abs((stepMicros(time) ?? 0) - readMonotonicMicros())).toBeLessThan(1e6);
});

test('an invalid time, and a time far from the present, count as no time', () => {
  const day = 24 * 3600 * 1000;
  const times = [
    Number.NaN,
    Infinity,
    new Date(Number.NaN),
    new Date(8.64e15),
    new Date(0),
    Date.now() + 200 * day,
  ];
  for (const time of times) expect(stepMicros(time)).toBeUndefined();
  expect(stepMicros([Number.NaN, 0])).toBeUndefined();
  expect(stepMicros(new Date(Date.now() - day))).toBeDefined();
});
