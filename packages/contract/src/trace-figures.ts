import { z } from 'zod';
import { Instant } from './instants.ts';
import { ProjectStats } from './projects.ts';
import { defineRoute } from './route.ts';
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
  /** Of all that match. */
  figures: ProjectStats,
  /**
   * Of what matches in the stretch of the same length right before `startDate`. Null where that is not known: there is no `startDate`, or
   * nothing is kept from as far back, since it expired or since there was nothing yet.
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
