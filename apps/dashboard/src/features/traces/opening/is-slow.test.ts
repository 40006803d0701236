import { describe, expect, it } from 'vitest';
import { findExceededMedian, isSlow } from './is-slow.ts';

const usual = (quartile: number, median: number, requests = 30) => ({
  requests,
  quartile,
  median,
  quicker: 0,
});

describe('a request is slow', () => {
  it.each([
    ['by the fixed limit where nothing is known', 501, undefined, true],
    ['not below the fixed limit where nothing is known', 500, undefined, false],
    ['by the fixed limit where too few others are known', 501, usual(2, 2, 4), true],
    ['at 209 ms where others take 6', 209, usual(5, 6), true],
    ['not at 700 ms where others take as long', 700, usual(610, 690), false],
    ['where half of the others are as slow', 2000, usual(120, 1900), true],
    ['not by a difference that is not felt', 21, usual(2, 2), false],
  ])('%s', (_, ms, others, slow) => {
    expect(isSlow(ms, others)).toBe(slow);
  });
});

it('names the usual time of an endpoint for a request that took far longer alone', () => {
  expect(findExceededMedian(209, usual(5, 6))).toBe(6);
  expect(findExceededMedian(2000, usual(120, 1900))).toBeUndefined();
  expect(findExceededMedian(700, usual(610, 690))).toBeUndefined();
  expect(findExceededMedian(900, usual(2, 2, 4))).toBeUndefined();
  expect(findExceededMedian(900, undefined)).toBeUndefined();
});
