import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';
import { ProjectStats } from '../projects/projects.ts';
import { TraceListQuery } from './traces.ts';

/** The list's filters, and into how many pieces its stretch of time is cut. */
export const TraceFiguresQuery = TraceListQuery.omit({ limit: true, cursor: true, sort: true }).extend({
  pieces: z.coerce
    .number({ error: 'pieces must be a number' })
    .int()
    .min(1, 'pieces is 1 to 200')
    .max(200, 'pieces is 1 to 200')
    .default(30),
});
export type TraceFiguresQuery = z.infer<typeof TraceFiguresQuery>;

export const TraceFigures = z.object({
  /** Stats of all matching traces. */
  figures: ProjectStats,
  /**
   * Stats of matching traces in the period of the same length before `startDate`. Null where unknown: there is no `startDate`, or no data is stored
   * from that period.
   */
  before: ProjectStats.nullable(),
  /**
   * Even pieces of the time from `startDate`, or else the first match, to `endDate`; without it to now, or to the last match where there is
   * no `startDate` either. At most as many as asked for, empty ones included; `from` is included, `to` is not. None where nothing matches
   * and there is no `startDate`.
   */
  pieces: z.array(ProjectStats.extend({ from: Instant, to: Instant })),
});
export type TraceFigures = z.infer<typeof TraceFigures>;

export const traceFigureRoutes = {
  figures: defineRoute({
    method: 'GET',
    path: '/api/traces/figures',
    summary:
      'How many traces match, how many of them failed and how long they took: in all, over time, and in the period before',
    access: { by: 'session' },
    query: TraceFiguresQuery,
    answer: TraceFigures,
    errors: ['validation_failed', 'not_found'],
  }),
};
