import { z } from 'zod';
import { defineRoute } from '../../http/route.ts';
import { Instant } from '../../instants/instants.ts';
import { BesideList, BesideListProgress } from '../query/value-search.ts';
import { TraceListQuery } from '../traces.ts';

/** The list's filters, and the number of bars on the time axis. */
export const TraceFacetsQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend({
  ...BesideList.shape,
  bars: z.coerce
    .number({ error: 'bars must be a number' })
    .int()
    .min(1, 'bars must be from 1 to 500')
    .max(500, 'bars must be from 1 to 500')
    .default(60),
});
export type TraceFacetsQuery = z.infer<typeof TraceFacetsQuery>;

/** Number of requests, and of the failed requests among them. */
const Counts = z.object({ count: z.number(), errors: z.number() });

export const TraceFacets = z.object({
  ...BesideListProgress.shape,
  /** Number of matching requests; `errors` counts the failed requests among them. Always exact. */
  total: z.number(),
  errors: z.number(),
  /**
   * 1: all numbers are exact. n > 1: everything except `total`, `errors` and `times` is estimated from about one in n matching requests,
   * and scaled up.
   */
  sampledOneIn: z.number(),
  /** The 50 most frequent status codes, most frequent first. Null: no response was sent. */
  statusCodes: z.array(Counts.extend({ statusCode: z.number().nullable() })),
  /** The 20 most frequent methods, most frequent first. Each method is in upper case. */
  methods: z.array(Counts.extend({ method: z.string() })),
  /**
   * The 20 most frequent routes, most frequent first. For requests without a known route, `route` is null and
   * `path` is the requested path.
   */
  paths: z.array(Counts.extend({ path: z.string(), route: z.string().nullable() })),
  /**
   * Histogram of durations in ms with logarithmic buckets, ten per factor of ten: `from` is inclusive, `to`
   * exclusive. The bounds do not depend on the filters. The list runs from the first to the last bucket with
   * a request and includes empty buckets between them.
   */
  durations: z.array(Counts.extend({ from: z.number(), to: z.number() })),
  /**
   * Equal intervals from `startDate` (or the first match) to `endDate` (or the last match): at most `bars`, including empty ones. `from` is
   * inclusive, `to` exclusive. The list is empty if nothing matches.
   */
  times: z.array(Counts.extend({ from: Instant, to: Instant })),
});
export type TraceFacets = z.infer<typeof TraceFacets>;

export const traceFacetRoutes = {
  facets: defineRoute({
    method: 'GET',
    path: '/api/traces/facets',
    summary: 'Counts of the matching traces by status, method, path, duration and time',
    access: { by: 'session' },
    accessTokens: true,
    query: TraceFacetsQuery,
    answer: TraceFacets,
    errors: ['validation_failed', 'not_found'],
  }),
};
