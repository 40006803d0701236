import type { Finding } from '@throughline/contract';
import { describe, expect, test } from 'vitest';
import { type Decided, isSeenAgain, splitFindings } from './split-findings.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-21T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const RANGE = { from: hoursAgo(7 * 24), until: NOW };

const createTraceId = (at: Date) =>
  `${at.getTime().toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-000000000000`;

const COMMON = {
  id: '0123456789abcdef',
  title: 'A finding',
  detail: 'Some figures.',
  severity: 'high',
  service: 'shop',
  endpoint: { method: 'GET', path: '/orders' },
  since: hoursAgo(48).toISOString(),
  startsWithin: null,
  requestCount: 40,
  userCount: 0,
  traces: {},
  exampleTraceIds: [createTraceId(hoursAgo(30))],
} as const;

const newError = (lastHoursAgo: number): Finding => ({
  ...COMMON,
  exampleTraceIds: [...COMMON.exampleTraceIds],
  kind: 'newError',
  evidence: {
    ...{ errorId: 'e'.repeat(32), environment: null, part: null, message: 'boom', userCount: 1 },
    lastOccurrence: hoursAgo(lastHoursAgo).toISOString(),
  },
});
const changed = (windowHours: number, startHoursAgo = 48): Finding => ({
  ...COMMON,
  exampleTraceIds: [],
  since: hoursAgo(startHoursAgo).toISOString(),
  kind: 'changed',
  evidence: {
    ...{ against: 'earlierDays', release: null, previousRelease: null },
    ...{ signal: 'p50', environment: '', part: null, errorId: null, windowHours, before: 10, after: 40 },
    ...{ requestsBefore: 400, requestsAfter: 40, endpoints: 1, pValue: 0.0001 },
  },
});
const changedInRelease = (startHoursAgo: number): Finding => {
  const finding = changed(1, startHoursAgo);
  if (finding.kind !== 'changed') throw new Error('the finding is not about a change');
  const releases = { against: 'release', release: 'v2', previousRelease: 'v1' } as const;
  return { ...finding, evidence: { ...finding.evidence, ...releases } };
};
const repeated = (newestHoursAgo: number): Finding => ({
  ...COMMON,
  exampleTraceIds: [createTraceId(hoursAgo(90)), createTraceId(hoursAgo(newestHoursAgo))],
  kind: 'repeatedQuery',
  evidence: { stepName: 'SELECT items', medianCalls: 20, maxCalls: 40, medianDuration: 80, share: 90 },
});
const decided = (given: Partial<Decided>): Decided => ({
  state: 'dismissed',
  until: null,
  at: hoursAgo(10),
  by: 'Ada',
  ...given,
});
const split = (finding: Finding, decision: Decided) =>
  splitFindings([finding], new Map([[finding.id, decision]]), RANGE, NOW);

describe('a finding that was fixed ten hours ago', () => {
  test.each([
    ['an error that was seen only before the fix', newError(11), false],
    ['an error that was seen after the fix', newError(9), true],
    ['a change in 24 hours, of which 14 are before the fix', changed(24), false],
    ['a change in the last six hours', changed(6), true],
    ['a change in 24 hours that began after the fix', changed(24, 3), true],
    ['a release that began before the fix and ran for an hour', changedInRelease(20), false],
    ['a release that began after the fix', changedInRelease(3), true],
    ['a query that only requests before the fix repeat', repeated(11), false],
    ['a query that a request after the fix repeats', repeated(9), true],
  ])('reappears only if requests after the fix have the problem again: %s', (_what, finding, isBack) => {
    expect(isSeenAgain(finding, hoursAgo(10), RANGE)).toBe(isBack);
    const { findings, hidden, returned } = split(finding, decided({ state: 'fixed' }));
    expect([findings.length, hidden.length, returned]).toEqual(isBack ? [1, 0, [finding.id]] : [0, 1, []]);
  });

  test('reappears if the range contains only requests after the fix and the problem occurs in these requests', () => {
    expect(isSeenAgain(newError(11), hoursAgo(10), { from: hoursAgo(9), until: NOW })).toBe(true);
  });
});

test('a snoozed finding is hidden until its days are over, and a dismissed finding until it is shown again', () => {
  const finding = changed(6, 1);
  const snoozed = (untilHoursAgo: number) => decided({ state: 'snoozed', until: hoursAgo(untilHoursAgo) });
  expect(split(finding, snoozed(-1)).hidden).toEqual([
    {
      finding,
      decision: {
        ...{ state: 'snoozed', until: hoursAgo(-1).toISOString() },
        ...{ at: hoursAgo(10).toISOString(), by: 'Ada' },
      },
    },
  ]);
  expect(split(finding, snoozed(0))).toEqual({ findings: [finding], hidden: [], returned: [] });
  expect(split(finding, decided({})).hidden).toHaveLength(1);
});

test('findings without a decision keep their order', () => {
  const some = [changed(6), { ...newError(1), id: 'another' }, { ...repeated(1), id: 'third' }];
  expect(splitFindings(some, new Map([['another', decided({})]]), RANGE, NOW)).toMatchObject({
    findings: [{ id: COMMON.id }, { id: 'third' }],
    hidden: [{ finding: { id: 'another' } }],
  });
});
