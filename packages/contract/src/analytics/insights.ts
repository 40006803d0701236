import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { AnalyticsRange, TraceLink } from './analytics-answers.ts';

const Distribution = z.object({
  requestCount: z.number(),
  /** Milliseconds. */
  p50Duration: z.number(),
  p95Duration: z.number(),
});

const found = {
  /** The same for the same finding as long as it stands. */
  id: z.string(),
  /** One sentence: what is the matter. */
  title: z.string(),
  /** The evidence and the first thing to look at, in one or two sentences. */
  detail: z.string(),
  severity: z.enum(['high', 'medium', 'low']),
  service: z.string(),
  /** The endpoint; null where it is not about one. */
  endpoint: z.object({ method: z.string(), path: z.string() }).nullable(),
  since: Instant,
  requestCount: z.number(),
  /** Filters of the list that show the traces. */
  traces: TraceLink,
  /** Some of the traces themselves. */
  exampleTraceIds: z.array(z.uuid()),
};

/** A finding with its evidence. */
export const Finding = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('slower'),
    ...found,
    evidence: z.object({
      /** The basis of the comparison: the previous period or the previous release. */
      against: z.enum(['period', 'release']),
      /** The releases; null where periods are compared. */
      release: z.string().nullable(),
      previousRelease: z.string().nullable(),
      before: Distribution,
      after: Distribution,
      /** Cliff's delta, -1 to 1: how much likelier a request now takes longer than one before, than the other way round. */
      effectSize: z.number(),
      /** Two-sided p-value of the Mann–Whitney test, corrected for the number of tested endpoints. */
      pValue: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('newError'),
    ...found,
    evidence: z.object({ message: z.string(), userCount: z.number(), lastOccurrence: Instant }),
  }),
  z.object({
    kind: z.literal('repeatedQuery'),
    ...found,
    evidence: z.object({
      stepName: z.string(),
      /** How often in one request. */
      medianCalls: z.number(),
      maxCalls: z.number(),
      /** Milliseconds a request. */
      medianDuration: z.number(),
      /** Percentage of the examined requests to the endpoint. */
      share: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('sequentialAwaits'),
    ...found,
    evidence: z.object({
      /** In the order in which they ran. */
      steps: z.array(z.object({ stepName: z.string(), medianDuration: z.number() })),
      /** Milliseconds that running them side by side would save in a usual request. */
      medianSaving: z.number(),
      share: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('changed'),
    ...found,
    evidence: z.object({
      /** The figure that is not as it was at the same hours before. */
      signal: z.enum([
        'p50',
        'p99',
        'errorRate',
        'requests',
        'memory',
        'eventLoopDelay',
        'responseSize',
        'cacheMisses',
      ]),
      /** Empty where the service names none. */
      environment: z.string(),
      /** The part of the requests that changed alone; null where all did. An attribute is `name:value`, an error its group. */
      part: z
        .object({
          name: z.enum(['country', 'instance', 'attribute', 'error', 'dependency']),
          value: z.string(),
        })
        .nullable(),
      windowHours: z.number(),
      /** Milliseconds, percent, bytes, or requests in the window. */
      before: z.number(),
      after: z.number(),
      requestsBefore: z.number(),
      requestsAfter: z.number(),
      /** Number of endpoints of the service that changed alike, this one included. */
      endpoints: z.number(),
      /** How likely chance alone would be, corrected for the number of comparisons. */
      pValue: z.number(),
    }),
  }),
]);
export type Finding = z.infer<typeof Finding>;

/** Days for which a finding can be hidden. */
export const SNOOZE_DAYS = [1, 7, 30] as const;

/** What was decided about a finding. */
export const FindingDecision = z.object({
  /** `dismissed`: hidden for good. `snoozed`: hidden for some days. `fixed`: hidden until requests after the decision have it again. */
  state: z.enum(['dismissed', 'snoozed', 'fixed']),
  /** When a snooze ends; null for the other states. */
  until: Instant.nullable(),
  at: Instant,
  /** Null where the person is no longer there. */
  by: z.string().nullable(),
});
export type FindingDecision = z.infer<typeof FindingDecision>;

/** A finding that somebody decided about. */
export const DecidedFinding = z.object({ finding: Finding, decision: FindingDecision });
export type DecidedFinding = z.infer<typeof DecidedFinding>;

const SNOOZE_ERROR = 'days is 1, 7 or 30 with snoozed, and absent with another state';

/** A decision as it is sent. `open` takes an earlier one back. */
export const NewFindingDecision = z
  .strictObject({
    state: z.enum(['open', 'dismissed', 'snoozed', 'fixed'], {
      error: 'state is open, dismissed, snoozed or fixed',
    }),
    days: z.literal(SNOOZE_DAYS, { error: SNOOZE_ERROR }).optional(),
  })
  .refine(({ state, days }) => (state === 'snoozed') === (days !== undefined), {
    error: SNOOZE_ERROR,
    path: ['days'],
  });
export type NewFindingDecision = z.infer<typeof NewFindingDecision>;

export const Insights = z.object({
  range: AnalyticsRange,
  /** True where the plan includes insights. Otherwise `findings` are a sample that is not about the project. */
  available: z.boolean(),
  /** True where `…/summary` can answer with more than null. */
  summaryAvailable: z.boolean(),
  /** The most severe first; without those that are hidden. */
  findings: z.array(Finding),
  /** Findings of the range that are dismissed, snoozed or fixed. */
  hidden: z.array(DecidedFinding),
  /** The `id`s of those of `findings` that were marked as fixed and came back. */
  returned: z.array(z.string()),
  /** Number of requests that were examined. */
  requestCount: z.number(),
});
export type Insights = z.infer<typeof Insights>;

export const InsightsSummary = z.object({ text: z.string(), model: z.string(), createdAt: Instant });
export type InsightsSummary = z.infer<typeof InsightsSummary>;
