import { z } from 'zod';
import { defineRoute } from '../../http/route.ts';
import { Instant } from '../../instants/instants.ts';
import { ValueSearch } from '../query/value-search.ts';
import { TraceListQuery } from '../traces.ts';

/**
 * Fields of the filter language by which the requests of a list can be grouped. `endpoint` also tells
 * methods apart. `errorGroup` groups only failed requests.
 */
export const GROUP_FIELDS = [
  'endpoint',
  'errorGroup',
  'user',
  'release',
  'service',
  'status',
  'country',
  'instance',
] as const;
export type GroupField = (typeof GROUP_FIELDS)[number];

/** Orders of groups: most requests, most failed requests, or longest P95 first. */
export const GROUP_SORTS = ['count', 'errors', 'p95'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

export const MAX_GROUPS = 100;
/**
 * If groups are sorted by P95, only this many groups with the most requests are compared. Otherwise a project with a million users would
 * need a million percentiles.
 */
export const MAX_COMPARED_GROUPS = 10_000;
export const MAX_GROUP_INTERVALS = 24;

/** The list's filters, the field to group by, and the number of intervals to divide the range into. */
export const TraceGroupsQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend({
  groupBy: z.enum(GROUP_FIELDS, { error: `groupBy must be one of ${GROUP_FIELDS.join(', ')}` }),
  sort: z.enum(GROUP_SORTS, { error: 'sort must be count, errors or p95' }).default('count'),
  intervals: z.coerce
    .number({ error: 'intervals must be a number' })
    .int()
    .min(1, `intervals must be from 1 to ${MAX_GROUP_INTERVALS}`)
    .max(MAX_GROUP_INTERVALS, `intervals must be from 1 to ${MAX_GROUP_INTERVALS}`)
    .default(MAX_GROUP_INTERVALS),
});
export type TraceGroupsQuery = z.infer<typeof TraceGroupsQuery>;

export const TraceGroup = z.object({
  /** The method, in upper case, of requests grouped by endpoint; otherwise null. */
  method: z.string().nullable(),
  /** The value that the group's requests have in common. Null if they have no value, as for requests without a known user. */
  value: z.string().nullable(),
  /** Filter terms that find the group's requests. Null if no filter can find them, as for requests without a release. */
  term: z.string().nullable(),
  count: z.number(),
  /** Number of failed requests. */
  errors: z.number(),
  /** Percentage of failed requests. */
  errorRate: z.number(),
  /** Requests per minute in the range. A range shorter than a minute counts as a minute. */
  perMinute: z.number(),
  /** 95th percentile of the durations in milliseconds: the value at the nearest rank, within 1 %. */
  p95Duration: z.number(),
  firstSeen: Instant,
  lastSeen: Instant,
  /** Number of requests in each interval. */
  counts: z.array(z.number()),
});
export type TraceGroup = z.infer<typeof TraceGroup>;

export const TraceGroups = z.object({
  /** Number of grouped requests; `errors` counts the failed requests among them. */
  total: z.number(),
  errors: z.number(),
  /** At most 100 groups, in the requested order. */
  groups: z.array(TraceGroup),
  /** Number of further groups, which are not listed. */
  more: z.number(),
  /**
   * Equal intervals. They start at `startDate`; without it, at the first match. They end at `endDate`. Without `endDate`, they end now if
   * `startDate` is given, and otherwise at the last match. `from` is inclusive, `to` exclusive. The list is empty if nothing matches.
   */
  intervals: z.array(z.object({ from: Instant, to: Instant })),
  /** Present if a search over captured values has not searched the whole range. */
  search: ValueSearch.optional(),
});
export type TraceGroups = z.infer<typeof TraceGroups>;

export const traceGroupRoutes = {
  groups: defineRoute({
    method: 'GET',
    path: '/api/traces/groups',
    summary: `The matching traces in groups: by endpoint, error, user, release, service, status, country or instance, each with its number, failures, P95 and number over time. At most ${MAX_GROUPS} groups`,
    access: { by: 'session' },
    accessTokens: true,
    query: TraceGroupsQuery,
    answer: TraceGroups,
    errors: ['validation_failed', 'not_found'],
  }),
};
