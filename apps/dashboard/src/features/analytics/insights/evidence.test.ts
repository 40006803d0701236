import type { Finding } from '@throughline/contract';
import { expect, test } from 'vitest';
import { listEvidence } from './evidence.ts';

type Changed = Extract<Finding, { kind: 'changed' }>;

const changed = (evidence: Partial<Changed['evidence']>): Changed => ({
  kind: 'changed',
  id: '0123456789abcdef',
  title: 'POST /checkout has a higher error rate: 8 % instead of 0.5 %, since release v2',
  detail: '',
  severity: 'high',
  service: 'shop',
  endpoint: { method: 'POST', path: '/checkout' },
  since: '2026-11-18T12:00:00.000000Z',
  startsWithin: null,
  requestCount: 12,
  userCount: 0,
  traces: {},
  exampleTraceIds: [],
  evidence: {
    ...{ signal: 'errorRate', against: 'earlierDays', release: null, previousRelease: null },
    ...{ environment: 'production', part: null, errorId: null, windowHours: 24, before: 0.5, after: 8 },
    ...{ requestsBefore: 4000, requestsAfter: 150, endpoints: 1, pValue: 1e-9 },
    ...evidence,
  },
});

const showCompared = (evidence: Partial<Changed['evidence']>) =>
  listEvidence(changed(evidence))
    .filter(({ name }) => name === 'Release' || name === 'Compared')
    .map(({ name, text }) => `${name}: ${text}`);

test('the evidence of a change between two releases names both releases and no hours', () => {
  expect(showCompared({ against: 'release', release: 'v2', previousRelease: 'v1' })).toEqual([
    'Compared: release v2 with release v1',
  ]);
});

test('the evidence of a change since earlier days names the release with which the change began', () => {
  expect(showCompared({ release: 'v2', previousRelease: 'v1' })).toEqual([
    'Release: since v2, before v1',
    'Compared: the last 24 hours with the same hours of earlier days',
  ]);
});

test('the evidence of a change since earlier days names no release if the change did not begin with a release', () => {
  expect(showCompared({})).toEqual(['Compared: the last 24 hours with the same hours of earlier days']);
});
