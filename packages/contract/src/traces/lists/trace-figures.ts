import { z } from 'zod';
import { defineRoute } from '../../http/route.ts';
import { Instant } from '../../instants/instants.ts';
import { ProjectStats } from '../../projects/projects.ts';
import { BesideList, BesideListProgress } from '../query/value-search.ts';
import { TraceListQuery } from '../traces.ts';

/** The list's filters, and the number of intervals to divide the range into. */
export const TraceFiguresQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend({
  ...BesideList.shape,
  pieces: z.coerce
    .number({ error: 'pieces must be a number' })
    .int()
    .min(1, 'pieces must be from 1 to 200')
    .max(200, 'pieces must be from 1 to 200')
    .default(30),
});
export type TraceFiguresQuery = z.infer<typeof TraceFiguresQuery>;

export const TraceFigures = z.object({
  ...BesideListProgress.shape,
  /** Stats of all matching traces. */
  figures: ProjectStats,
  /**
   * Stats of the matching traces in the period of the same length before `startDate`. Null without a
   * `startDate`, or if no data of that period is stored.
   */
  before: ProjectStats.nullable(),
  /**
   * Equal intervals, at most `pieces`, including empty ones. They start at `startDate`; without it, at the first match. They end at
   * `endDate`. Without `endDate`, they end now if `startDate` is given, and otherwise at the last match. `from` is inclusive, `to`
   * exclusive. The list is empty if nothing matches and `startDate` is absent.
   */
  pieces: z.array(ProjectStats.extend({ from: Instant, to: Instant })),
});
export type TraceFigures = z.infer<typeof TraceFigures>;

export const traceFigureRoutes = {
  figures: defineRoute({
    method: 'GET',
    path: '/api/traces/figures',
    summary:
      'Number, failures and durations of the matching traces: in total, over time, and in the previous period',
    access: { by: 'session' },
    accessTokens: true,
    query: TraceFiguresQuery,
    answer: TraceFigures,
    errors: ['validation_failed', 'not_found'],
  }),
};
