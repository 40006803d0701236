import { z } from 'zod';
import { defineRoute } from '../../http/route.ts';
import { BesideList, BesideListProgress } from '../query/value-search.ts';
import { TraceListQuery } from '../traces.ts';

/** The list's filters. The requests that match them are compared with other requests. */
export const TraceDifferencesQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend(
  BesideList.shape,
);
export type TraceDifferencesQuery = z.infer<typeof TraceDifferencesQuery>;

/** Fields of the filter language that are compared. */
export const DIFFERENCE_FIELDS = [
  'status',
  'endpoint',
  'method',
  'errorGroup',
  'service',
  'environment',
  'release',
  'instance',
  'country',
  'user',
  'attribute',
] as const;

/** A value that is more frequent among the matching requests than among the others. */
export const TraceDifference = z.object({
  field: z.enum(DIFFERENCE_FIELDS),
  /** The field's value. Attributes are written `name:value`, as in the list's `attribute` parameter. */
  value: z.string(),
  /** Filter term that finds requests with the value. */
  term: z.string(),
  /** Number of matching requests that have the value. */
  count: z.number(),
  /** `inside`: share, from 0 to 1, of the matching requests that have the value. `outside`: the same share of the other requests. */
  inside: z.number(),
  outside: z.number(),
});
export type TraceDifference = z.infer<typeof TraceDifference>;

export const TraceDifferences = z.object({
  ...BesideListProgress.shape,
  /**
   * The requests with which the matching requests are compared. `outcome`: requests that match all filters
   * except the filters on status, error, duration and steps. `time`: matching requests shortly before and after the range.
   * `rest`: all requests that do not match. Null: no filter is set, so there are no other requests.
   */
  against: z.enum(['outcome', 'time', 'rest']).nullable(),
  matching: z.number(),
  others: z.number(),
  /**
   * 1: every request was counted. n > 1: only a sample of the matching requests, of the other requests, or of both was counted; the sparser
   * sample contains one in n requests.
   */
  sampledOneIn: z.number(),
  /** The differences, the most significant first: at most 10, with at most 3 per field and per attribute name. */
  differences: z.array(TraceDifference),
});
export type TraceDifferences = z.infer<typeof TraceDifferences>;

export const traceDifferenceRoutes = {
  differences: defineRoute({
    method: 'GET',
    path: '/api/traces/differences',
    summary:
      'What distinguishes the matching traces: values that are more frequent in them than in other traces',
    access: { by: 'session' },
    accessTokens: true,
    query: TraceDifferencesQuery,
    answer: TraceDifferences,
    errors: ['validation_failed', 'not_found'],
  }),
};
