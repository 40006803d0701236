import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { TraceListQuery } from './traces.ts';

/** The list's filters: the requests that match are compared with others. */
export const TraceDifferencesQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true });
export type TraceDifferencesQuery = z.infer<typeof TraceDifferencesQuery>;

/** Fields of the filter language whose values are compared. */
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

/** A value that the matching requests have more often than the others. */
export const TraceDifference = z.object({
  field: z.enum(DIFFERENCE_FIELDS),
  /** An attribute is `name:value`, as the list's `attribute` takes it. */
  value: z.string(),
  /** The term of the filter language that finds requests with the value. */
  term: z.string(),
  /** Matching requests that have the value. */
  count: z.number(),
  /** Shares from 0 to 1 of the requests that have the value: of the matching ones, and of the others. */
  inside: z.number(),
  outside: z.number(),
});
export type TraceDifference = z.infer<typeof TraceDifference>;

export const TraceDifferences = z.object({
  /**
   * The others: with `outcome` requests with another result (status, error, duration, steps) that match all other filters; with `time` matching
   * requests shortly before and after; with `rest` all that do not match. Null where no filter narrows the list, so that there are no others.
   */
  against: z.enum(['outcome', 'time', 'rest']).nullable(),
  matching: z.number(),
  others: z.number(),
  /** 1: every request was counted. n: of the others, or of all, one in n was. */
  sampledOneIn: z.number(),
  /** The most telling first, at most 10; at most 3 of a field, and of an attribute's name. */
  differences: z.array(TraceDifference),
});
export type TraceDifferences = z.infer<typeof TraceDifferences>;

export const traceDifferenceRoutes = {
  differences: defineRoute({
    method: 'GET',
    path: '/api/traces/differences',
    summary: 'What sets the matching traces apart: values that they have more often than others',
    access: { by: 'session' },
    query: TraceDifferencesQuery,
    answer: TraceDifferences,
    errors: ['validation_failed', 'not_found'],
  }),
};
