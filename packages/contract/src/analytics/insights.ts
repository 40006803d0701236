import { z } from 'zod';
import { Instant } from '../instants/instants.ts';
import { AnalyticsRange, TraceLink } from './analytics-answers.ts';

const Distribution = z.object({
  requestCount: z.number(),
  /** Milliseconds. */
  p50Duration: z.number(),
  p95Duration: z.number(),
});

const found = {
  /** Id of the finding. It stays the same while the finding persists. */
  id: z.string(),
  /** One sentence that describes the problem. */
  title: z.string(),
  /** The evidence and what to look at first, in one or two sentences. */
  detail: z.string(),
  /**
   * Severity by the size of the change or problem. One level higher if many of the range's users or requests are affected, one level lower
   * if few are affected. The severity of a finding about the number of requests depends only on the size of the change.
   */
  severity: z.enum(['high', 'medium', 'low']),
  service: z.string(),
  /** Null if the finding is not about a single endpoint. */
  endpoint: z.object({ method: z.string(), path: z.string() }).nullable(),
  /** Start of the earliest request that `traces` shows. For a comparison of releases: the release's first request. */
  since: Instant,
  /**
   * The interval in which the problem began, with a confidence of about 95 %. If `from` is the start of the range, the problem can have begun
   * earlier. Null if the start is not estimated: for the first occurrence of an error, a release, or a metric that grows slowly.
   */
  startsWithin: z.object({ from: Instant, to: Instant }).nullable().default(null),
  /** Number of affected requests, and of their known users. */
  requestCount: z.number(),
  userCount: z.number(),
  /** Filters of the trace list that show the affected traces. */
  traces: TraceLink,
  /** Ids of some affected traces. */
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
      /** The current release. `release` and `previousRelease` are null if periods are compared. */
      release: z.string().nullable(),
      previousRelease: z.string().nullable(),
      before: Distribution,
      after: Distribution,
      /**
       * Cliff's delta, from -1 to 1: the probability that a request of the current period or release is slower than a request of the
       * previous one, minus the probability that it is faster.
       */
      effectSize: z.number(),
      /** Two-sided p-value of the Mann–Whitney test, corrected for the number of comparisons. */
      pValue: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('newError'),
    ...found,
    evidence: z.object({
      /** Id of the error, as in the list of the project's errors. */
      errorId: z.string(),
      /** Environment in which the error is new, if it occurred in other environments before; null if it is new in all environments. */
      environment: z.string().nullable(),
      /** If the error occurs only in one part of the service's requests, such as the requests of one tenant: this part. Otherwise null. */
      part: z
        .object({
          name: z.enum(['country', 'instance', 'attribute', 'user']),
          value: z.string(),
          /** The part's share of the service's requests since the first occurrence, in percent; null if the part is too small. */
          share: z.number().nullable(),
        })
        .nullable()
        .default(null),
      message: z.string(),
      userCount: z.number(),
      lastOccurrence: Instant,
    }),
  }),
  z.object({
    kind: z.literal('repeatedQuery'),
    ...found,
    evidence: z.object({
      stepName: z.string(),
      /** Median number of calls per request. */
      medianCalls: z.number(),
      maxCalls: z.number(),
      /** Median duration of the repeated calls per request, in milliseconds. */
      medianDuration: z.number(),
      /** Requests with the repeated query, as a percentage of the endpoint's examined requests. */
      share: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('sequentialAwaits'),
    ...found,
    evidence: z.object({
      /** The steps, in order of execution. */
      steps: z.array(z.object({ stepName: z.string(), medianDuration: z.number() })),
      /** Median time, in milliseconds, that running the steps concurrently would save per request. */
      medianSaving: z.number(),
      share: z.number(),
    }),
  }),
  z.object({
    kind: z.literal('changed'),
    ...found,
    evidence: z.object({
      /** The metric that differs. */
      signal: z.enum([
        'p50',
        'p95',
        'p99',
        'errorRate',
        'requests',
        'memory',
        'eventLoopDelay',
        'responseSize',
        'cacheMisses',
        'cpu',
        'calls',
      ]),
      /** The basis of the comparison: the same hours of earlier days, or the previous release in the same environment. */
      against: z.enum(['earlierDays', 'release']),
      /** The release with which the change began, and the previous release. Both are null if the change did not begin with a release. */
      release: z.string().nullable(),
      previousRelease: z.string().nullable(),
      /** Environment of the requests; empty if the service reports none. */
      environment: z.string(),
      /**
       * The group of requests that changed, such as the requests from one country or user, with one error or with calls to one dependency.
       * Null if the change is not limited to such a group. `value` of an attribute is `name:value`; `value` of an error is the message.
       */
      part: z
        .object({
          name: z.enum(['country', 'instance', 'attribute', 'user', 'error', 'dependency']),
          value: z.string(),
        })
        .nullable(),
      /** If the part is an error: its id, as in the list of the project's errors; else null. */
      errorId: z.string().nullable(),
      /** Number of hours that are compared. If releases are compared: hours from the first to the last request of the release. */
      windowHours: z.number(),
      /** The metric before the change, in milliseconds, percent, bytes, requests per window or calls per request. */
      before: z.number(),
      after: z.number(),
      requestsBefore: z.number(),
      requestsAfter: z.number(),
      /** Number of endpoints of the service that changed in the same way, including this endpoint. */
      endpoints: z.number(),
      /** Probability of such a change by chance, corrected for the number of comparisons. */
      pValue: z.number(),
    }),
  }),
]);
export type Finding = z.infer<typeof Finding>;

/** Numbers of days for which a user can hide a finding. */
export const SNOOZE_DAYS = [1, 7, 30] as const;

/** A user's decision about a finding. */
export const FindingDecision = z.object({
  /**
   * `dismissed`: hidden permanently. `snoozed`: hidden for some days. `fixed`: hidden until a request after
   * the decision shows the problem again.
   */
  state: z.enum(['dismissed', 'snoozed', 'fixed']),
  /** When a snooze ends; null for the other states. */
  until: Instant.nullable(),
  at: Instant,
  /** Name of the user; null if the account no longer exists. */
  by: z.string().nullable(),
});
export type FindingDecision = z.infer<typeof FindingDecision>;

export const DecidedFinding = z.object({ finding: Finding, decision: FindingDecision });
export type DecidedFinding = z.infer<typeof DecidedFinding>;

const SNOOZE_ERROR = 'days must be 1, 7 or 30 with the state snoozed, and absent with any other state';

/** A decision to store. `open` cancels an earlier decision, so that the finding is no longer hidden. */
export const NewFindingDecision = z
  .strictObject({
    state: z.enum(['open', 'dismissed', 'snoozed', 'fixed'], {
      error: 'state must be open, dismissed, snoozed or fixed',
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
  /**
   * True if the plan includes insights. Otherwise `findings` is a sample that is not about the project, `hidden` and `returned` are empty,
   * and only `openFindings` and `requestCount` are about the project.
   */
  available: z.boolean(),
  /** True if `…/summary` can return a summary. Otherwise that route always returns null. */
  summaryAvailable: z.boolean(),
  /** Number of the project's findings without the hidden ones, by severity. All plans get these numbers. */
  openFindings: z.object({ high: z.number(), medium: z.number(), low: z.number() }),
  /** Findings without the hidden ones, the most severe first. */
  findings: z.array(Finding),
  /** Findings of the range that are dismissed, snoozed or fixed. */
  hidden: z.array(DecidedFinding),
  /** Ids of those `findings` that a user marked as fixed, but that occurred again. */
  returned: z.array(z.string()),
  /** Number of requests that were examined. */
  requestCount: z.number(),
  /**
   * End of the examined part of the range. If the range contains the present and has many requests, the findings can be up to ten minutes
   * old.
   */
  examinedUntil: Instant,
});
export type Insights = z.infer<typeof Insights>;

export const InsightsSummary = z.object({ text: z.string(), model: z.string(), createdAt: Instant });
export type InsightsSummary = z.infer<typeof InsightsSummary>;
