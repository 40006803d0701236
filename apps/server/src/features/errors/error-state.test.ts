import { expect, test } from 'vitest';
import { findState } from './error-state.ts';

const HOUR = 3_600_000_000n;
const NOW = BigInt(Date.parse('2026-11-21T12:00:00Z')) * 1000n;
const ago = (hours: number) => NOW - BigInt(hours) * HOUR;
const at = (hours: number) => new Date(Number(ago(hours) / 1000n));
const seen = (first: number, last: Readonly<Record<string, number>>) => ({
  firstMicros: ago(first),
  lastByRelease: new Map(Object.entries(last).map(([release, hours]) => [release, ago(hours)])),
});

test.each([
  ['new within a day of its first request', seen(23, { '': 1 }), undefined, 'new'],
  ['ongoing after a day', seen(25, { '': 1 }), undefined, 'ongoing'],
  [
    'ignored whatever comes',
    seen(25, { '': 1 }),
    { state: 'ignored', afterRelease: null, changedAt: at(5) },
    'ignored',
  ],
  [
    'resolved while it is not seen',
    seen(90, { '': 6 }),
    { state: 'resolved', afterRelease: null, changedAt: at(5) },
    'resolved',
  ],
  [
    'reopened once it is seen',
    seen(90, { '': 4 }),
    { state: 'resolved', afterRelease: null, changedAt: at(5) },
    'reopened',
  ],
  [
    'resolved while only the release before the fix has it',
    seen(90, { '1.4': 1 }),
    { state: 'resolved', afterRelease: '1.4', changedAt: at(5) },
    'resolved',
  ],
  [
    'reopened in a later release',
    seen(90, { '1.4': 1, '1.5': 2 }),
    { state: 'resolved', afterRelease: '1.4', changedAt: at(5) },
    'reopened',
  ],
  [
    'ongoing after somebody reopened it',
    seen(90, { '': 4 }),
    { state: 'open', afterRelease: null, changedAt: at(5) },
    'ongoing',
  ],
] as const)('an error is %s', (_, error, decision, state) => {
  expect(findState(error, decision, NOW)).toBe(state);
});
