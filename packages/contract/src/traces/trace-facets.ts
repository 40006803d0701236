import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';
import { TraceListQuery } from './traces.ts';

/** The list's filters, and how many bars of time. */
export const TraceFacetsQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend({
  bars: z.coerce
    .number({ error: 'bars must be a number' })
    .int()
    .min(1, 'bars is 1 to 500')
    .max(500, 'bars is 1 to 500')
    .default(60),
});
export type TraceFacetsQuery = z.infer<typeof TraceFacetsQuery>;

/** Requests, and those among them that failed. */
const Counts = z.object({ count: z.number(), errors: z.number() });

export const TraceFacets = z.object({
  /** All that match, and those of them that failed: what `status=success` and `status=error` would find. Always exact. */
  total: z.number(),
  errors: z.number(),
  /**
   * 1: every match was counted. n: there are so many matches that all but `total`, `errors` and `times` is counted on about one in n and
   * multiplied, and nearly right.
   */
  sampledOneIn: z.number(),
  /** The most frequent first, 50 at most; null: no answer was sent. */
  statusCodes: z.array(Counts.extend({ statusCode: z.number().nullable() })),
  /** The most frequent first, 20 at most, in upper case. */
  methods: z.array(Counts.extend({ method: z.string() })),
  /** The most frequent first, 20 at most: by route where it is known, else by path. `route` null: `path` is what was asked for. */
  paths: z.array(Counts.extend({ path: z.string(), route: z.string().nullable() })),
  /**
   * Buckets that grow, ten for each factor of ten, in ms: `from` is included, `to` is not. They are the same for every selection, follow each
   * other from the first to the last that has a request, and include empty ones between.
   */
  durations: z.array(Counts.extend({ from: z.number(), to: z.number() })),
  /**
   * Even pieces of the time from `startDate`, or else the first match, to `endDate`, or else the last: at most as many as asked for, empty
   * ones included. `from` is included, `to` is not. None where nothing matches.
   */
  times: z.array(Counts.extend({ from: Instant, to: Instant })),
});
export type TraceFacets = z.infer<typeof TraceFacets>;

export const traceFacetRoutes = {
  facets: defineRoute({
    method: 'GET',
    path: '/api/traces/facets',
    summary:
      'What the traces that match are: how many by status, method and path, how long they took, and when they came',
    access: { by: 'session' },
    query: TraceFacetsQuery,
    answer: TraceFacets,
    errors: ['validation_failed', 'not_found'],
  }),
};
