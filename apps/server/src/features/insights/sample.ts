import { type Finding, formatInstant } from '@throughline/contract';
import type { Scope } from '../analytics/index.ts';

/** Returns sample findings for plans without insights. Sample findings contain no data of the project. */
export function sampleFindings({ reading }: Scope): Finding[] {
  const shared = {
    service: 'shop',
    since: formatInstant(reading.from),
    startsWithin: null,
    traces: {},
    exampleTraceIds: [],
  };
  return [
    {
      kind: 'slower',
      ...shared,
      id: 'sample-slower',
      title: 'POST /orders is slower than in release v41',
      detail:
        'Median up from 120 ms to 210 ms (+75 %). A new request is slower than an earlier one in 81 of 100 comparisons.',
      severity: 'high',
      endpoint: { method: 'POST', path: '/orders' },
      requestCount: 1840,
      userCount: 312,
      evidence: {
        against: 'release',
        release: 'v42',
        previousRelease: 'v41',
        before: { requestCount: 5210, p50Duration: 120, p95Duration: 340 },
        after: { requestCount: 1840, p50Duration: 210, p95Duration: 560 },
        effectSize: 0.62,
        pValue: 1e-12,
      },
    },
    {
      kind: 'repeatedQuery',
      ...shared,
      id: 'sample-repeated',
      title: 'N+1: SELECT products runs 48× per GET /orders',
      detail: 'It takes 62 ms of a typical request. Batch the calls into one query.',
      severity: 'medium',
      endpoint: { method: 'GET', path: '/orders' },
      requestCount: 37,
      userCount: 21,
      evidence: {
        stepName: 'SELECT products',
        medianCalls: 48,
        maxCalls: 112,
        medianDuration: 62,
        share: 93,
      },
    },
  ];
}
