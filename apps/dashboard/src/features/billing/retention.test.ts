import { expect, it } from 'vitest';
import { findShortestRetention, hasLongerRetention } from './retention.ts';

const now = new Date('2026-11-22T12:00:00Z');
const old = '2026-01-01T00:00:00.000000Z';
const trial = { plan: 'free_trial', createdAt: old } as const;
const starter = { plan: 'starter', createdAt: old } as const;

it('for a range that begins before the retention of several projects, the project with the shortest retention is found', () => {
  expect(findShortestRetention([starter, trial], '2026-11-01T00:00:00Z', now)).toBe(trial);
  expect(findShortestRetention([starter], '2026-11-15T11:59:59Z', now)).toBe(starter);
});

it('no project is found for a range if all traces of the range are still stored, if all projects are younger than their retention, or if there are no projects', () => {
  expect(findShortestRetention([starter], '2026-11-15T12:00:00Z', now)).toBeUndefined();
  expect(findShortestRetention([starter, trial], '2026-11-22T11:30:00Z', now)).toBeUndefined();
  expect(
    findShortestRetention([{ ...trial, createdAt: '2026-11-22T11:00:01Z' }], undefined, now),
  ).toBeUndefined();
  expect(findShortestRetention([], undefined, now)).toBeUndefined();
});

it("a list without a range is treated like a list that begins at the project's creation", () => {
  expect(findShortestRetention([trial], undefined, now)).toBe(trial);
});

it('a larger plan is offered only if the larger plan has longer retention', () => {
  expect(hasLongerRetention('free_trial', 'solo')).toBe(true);
  // Both paid plans for solo users have the same retention.
  expect(hasLongerRetention('starter', 'solo')).toBe(false);
  expect(hasLongerRetention('pro', 'organization')).toBe(true);
  expect(hasLongerRetention('enterprise_plus', 'organization')).toBe(false);
});
