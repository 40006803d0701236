import { z } from 'zod';
import { createRollups } from '../apps/server/src/features/rollups/index.ts';
import { type ProjectId, readId } from '../apps/server/src/platform/ids.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { openTraceStore } from '../apps/server/src/platform/trace-store/index.ts';

const DAY_MICROS = 86_400_000_000n;

/** The rows of the targets that are about analytics, with their bounds in ms at the 95th percentile. */
export const ANALYTICS_ROWS = {
  'each analytics screen, 7 days': 200,
  'each analytics screen, 30 days': 500,
} as const;
type AnalyticsRow = keyof typeof ANALYTICS_ROWS;

/** Each screen with where its number of requests stands. */
const SCREENS = {
  'dashboard/overview': ({ overview }: Answers) => overview?.metrics.totalTraces,
  'analytics/performance': ({ performance }: Answers) =>
    performance?.timeSeries.reduce((sum, { requestCount }) => sum + requestCount, 0),
  'analytics/errors': ({ errors }: Answers) =>
    errors?.trends.reduce((sum, { requestCount }) => sum + requestCount, 0),
  'analytics/flows': ({ flows }: Answers) =>
    Object.values(flows?.distribution ?? {}).reduce((sum, count) => sum + count, 0),
  'analytics/system': ({ system }: Answers) => system?.metrics.totalRequests,
  'analytics/users': ({ users }: Answers) =>
    users?.geography.reduce((sum, { requestCount }) => sum + requestCount, 0),
  'analytics/business': ({ business }: Answers) =>
    business?.endpointUsage.reduce((sum, { requestCount }) => sum + requestCount, 0),
} as const;

const requestCounts = z.array(z.object({ requestCount: z.number() }));
const Answers = z.object({
  overview: z.object({ metrics: z.object({ totalTraces: z.number() }) }).optional(),
  performance: z.object({ timeSeries: requestCounts }).optional(),
  errors: z.object({ trends: requestCounts }).optional(),
  flows: z.object({ distribution: z.record(z.string(), z.number()) }).optional(),
  system: z.object({ metrics: z.object({ totalRequests: z.number() }) }).optional(),
  users: z.object({ geography: requestCounts }).optional(),
  business: z.object({ endpointUsage: requestCounts }).optional(),
});
type Answers = z.output<typeof Answers>;

/**
 * The seven screens over seven and thirty days, each time over a range that begins some minutes later: what was kept of the one before is not what
 * makes it quick.
 */
export function analyticsCalls(loaded: { readonly projectId: string; readonly traces: number }) {
  return ([7, 30] as const).flatMap((days) =>
    Object.entries(SCREENS).map(([screen, countOf]) => ({
      name: `${screen.replace(/^.*\//, '')}, ${days} days`,
      row: `each analytics screen, ${days} days` satisfies AnalyticsRow,
      path: (turn: number) => {
        const end = Date.now() - turn * 60_000;
        const query = new URLSearchParams({
          startDate: new Date(end - days * 86_400_000).toISOString(),
          endDate: new Date(end).toISOString(),
        });
        return `/api/${screen}/${loaded.projectId}?${query}`;
      },
      check: (answer: unknown) => {
        const requests = countOf(Answers.parse(answer)) ?? 0;
        const expected = (loaded.traces * days) / 30;
        if (requests < expected * 0.5 || requests > expected * 1.1) {
          throw new Error(`${screen} shows ${requests} requests of ${days} days, not about ${expected}`);
        }
      },
    })),
  );
}

/** Rolls a loaded project up, as its server would have on the days themselves. */
export async function rollUp(dataDir: string, projectId: string): Promise<void> {
  const project = readId<ProjectId>(projectId);
  if (project === undefined) throw new Error(`${projectId} is no project`);
  const store = await openTraceStore({ clickhouse: undefined, dataDir });
  const rollups = createRollups({ store, log: createLog('error') });
  const now = BigInt(Date.now()) * 1000n;
  await rollups.rebuild(project, { from: now - 31n * DAY_MICROS, until: now });
  await rollups.close();
  await store.close();
}
