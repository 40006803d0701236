import { describe, expect, it } from 'vitest';
import { findExceededMedian, isSlow } from './is-slow.ts';

const usual = (quartile: number, median: number, requests = 30) => ({
  requests,
  quartile,
  median,
  quicker: 0,
});

describe('a request', () => {
  it.each([
    ['is slow above the fixed limit if other durations are unknown', 501, undefined, true],
    ['is not slow at the fixed limit if other durations are unknown', 500, undefined, false],
    ['is slow above the fixed limit if too few other durations are known', 501, usual(2, 2, 4), true],
    ['is slow at 209 ms if others take 6 ms', 209, usual(5, 6), true],
    ['is not slow at 700 ms if others take as long', 700, usual(610, 690), false],
    ['is slow even if half of the others are as slow', 2000, usual(120, 1900), true],
    ['is not slow by an imperceptible difference', 21, usual(2, 2), false],
  ])('%s', (_, ms, others, slow) => {
    expect(isSlow(ms, others)).toBe(slow);
  });
});

it('the usual duration of an endpoint is reported only if this request took far longer than usual', () => {
  expect(findExceededMedian(209, usual(5, 6))).toBe(6);
  expect(findExceededMedian(2000, usual(120, 1900))).toBeUndefined();
  expect(findExceededMedian(700, usual(610, 690))).toBeUndefined();
  expect(findExceededMedian(900, usual(2, 2, 4))).toBeUndefined();
  expect(findExceededMedian(900, undefined)).toBeUndefined();
});
