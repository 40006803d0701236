import { expect, it } from 'vitest';
import { keepsLonger, shortestKept } from './kept.ts';

const now = new Date('2026-11-22T12:00:00Z');
const old = '2026-01-01T00:00:00.000000Z';
const trial = { plan: 'free_trial', createdAt: old } as const;
const starter = { plan: 'starter', createdAt: old } as const;

it('names the project that keeps traces shortest, where the range begins before', () => {
  expect(shortestKept([starter, trial], '2026-11-01T00:00:00Z', now)).toBe(trial);
  expect(shortestKept([starter], '2026-11-15T11:59:59Z', now)).toBe(starter);
});

it('says nothing where all of the range is kept, or nothing can be older', () => {
  expect(shortestKept([starter], '2026-11-15T12:00:00Z', now)).toBeUndefined();
  expect(shortestKept([starter, trial], '2026-11-22T11:30:00Z', now)).toBeUndefined();
  expect(shortestKept([{ ...trial, createdAt: '2026-11-22T11:00:01Z' }], undefined, now)).toBeUndefined();
  expect(shortestKept([], undefined, now)).toBeUndefined();
});

it('takes a list without a range back to where its project began', () => {
  expect(shortestKept([trial], undefined, now)).toBe(trial);
});

it('offers a larger plan only where one keeps traces longer', () => {
  expect(keepsLonger('free_trial', 'solo')).toBe(true);
  // Both plans for solo users have the same retention.
  expect(keepsLonger('starter', 'solo')).toBe(false);
  expect(keepsLonger('pro', 'organization')).toBe(true);
  expect(keepsLonger('enterprise_plus', 'organization')).toBe(false);
});
