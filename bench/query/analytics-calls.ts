import { z } from 'zod';
import { createRollups } from '../../apps/server/src/features/rollups/index.ts';
import { type ProjectId, readId } from '../../apps/server/src/platform/ids.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openTraceStore } from '../../apps/server/src/platform/trace-store/index.ts';
import type { MeasuredCall, Row } from './rows.ts';

const DAY_MICROS = 86_400_000_000n;

const requestCounts = z.array(z.object({ requestCount: z.number() }));
const Answers = z.object({
  overview: z.object({ metrics: z.object({ totalTraces: z.number() }) }).optional(),
  performance: z.object({ timeSeries: requestCounts }).optional(),
  errors: z.object({ trends: requestCounts }).optional(),
  flows: z.object({ distribution: z.record(z.string(), z.number()) }).optional(),
  system: z.object({ metrics: z.object({ totalRequests: z.number() }) }).optional(),
  users: z.object({ geography: requestCounts }).optional(),
  business: z.object({ endpointUsage: requestCounts }).optional(),
  insights: z.object({ available: z.literal(true), requestCount: z.number() }).optional(),
});
type Answers = z.output<typeof Answers>;

const sumRequests = (rows: z.output<typeof requestCounts> | undefined) =>
  rows?.reduce((sum, { requestCount }) => sum + requestCount, 0);

/**
 * The analytics screens. `countRequests` reads the number of requests from a response. `compares` is true if the screen has an option to
 * compare with the previous period.
 */
const SCREENS: readonly Screen[] = [
  {
    path: 'dashboard/overview',
    countRequests: ({ overview }) => overview?.metrics.totalTraces,
    compares: true,
  },
  {
    path: 'analytics/performance',
    countRequests: ({ performance }) => sumRequests(performance?.timeSeries),
    compares: true,
  },
  { path: 'analytics/errors', countRequests: ({ errors }) => sumRequests(errors?.trends), compares: true },
  {
    path: 'analytics/flows',
    countRequests: ({ flows }) =>
      Object.values(flows?.distribution ?? {}).reduce((sum, count) => sum + count, 0),
    compares: true,
  },
  { path: 'analytics/system', countRequests: ({ system }) => system?.metrics.totalRequests, compares: true },
  { path: 'analytics/users', countRequests: ({ users }) => sumRequests(users?.geography), compares: true },
  {
    path: 'analytics/business',
    countRequests: ({ business }) => sumRequests(business?.endpointUsage),
    compares: true,
  },
];
interface Screen {
  readonly path: string;
  readonly countRequests: (answers: Answers) => number | undefined;
  readonly compares: boolean;
}

/** Insights always compare with the previous period and return only problems. */
const INSIGHTS: Screen = {
  path: 'analytics/insights',
  countRequests: ({ insights }) => insights?.requestCount,
  compares: false,
};
/** Number of measured searches of insights: each takes seconds. */
const SEARCHES = 5;

/** The periods of each screen. The data covers thirty days, so the longest comparison is fifteen days with the fifteen days before. */
const PERIODS: readonly Period[] = [
  { days: 7, compare: false, row: 'each analytics screen, 7 days' },
  { days: 7, compare: true, row: 'each analytics screen, 7 days' },
  { days: 15, compare: true, row: 'each analytics screen, 30 days' },
  { days: 30, compare: false, row: 'each analytics screen, 30 days' },
];
interface Period {
  readonly days: number;
  readonly compare: boolean;
  readonly row: Row;
}

interface Loaded {
  readonly projectId: string;
  readonly traces: number;
}

/**
 * Builds the requests of all screens for each of the PERIODS. Each repetition of a request has a range that begins a minute earlier, so
 * that the server cannot answer it from a cache. Insights are measured twice: for whole days, as the dashboard requests insights, so
 * that later requests read the server's cache; and with another range each time, so that each request measures the search itself.
 */
export function analyticsCalls(loaded: Loaded): MeasuredCall[] {
  return PERIODS.flatMap((period) => {
    const { days, compare, row } = period;
    const name = (screen: string) => `${screen}, ${days} days${compare ? ` and the ${days} before` : ''}`;
    const measure = ({ path, countRequests }: Screen) => ({
      name: name(path.replace(/^.*\//, '')),
      row,
      path: buildPath(loaded, path, period),
      check: (answer: unknown) => {
        const requests = countRequests(Answers.parse(answer)) ?? 0;
        const expected = (loaded.traces * days) / 30;
        if (requests < expected * 0.5 || requests > expected * 1.1)
          throw new Error(`${path} shows ${requests} requests of ${days} days, not about ${expected}`);
        if (compare && !/"previous\w*":[^n]/.test(JSON.stringify(answer)))
          throw new Error(`${path} shows nothing of the ${days} days before`);
      },
    });
    return [
      ...SCREENS.map(measure),
      ...(compare
        ? []
        : [
            { ...measure(INSIGHTS), path: () => buildDaysPath(loaded, INSIGHTS.path, period) },
            // Requests another range each time, so that the server searches again.
            {
              ...measure(INSIGHTS),
              ...{ name: name('insights, searched again'), row: undefined, turns: SEARCHES },
            },
            {
              name: `what screens can be narrowed by, ${days} days`,
              row,
              path: buildPath(loaded, 'analytics/filters', period),
              check: (answer: unknown) => void Filters.parse(answer),
            },
          ]),
    ];
  });
}

const some = z.array(z.string()).min(1);
const Filters = z.object({ filters: z.object({ services: some, environments: some, releases: some }) });

function buildPath({ projectId }: Loaded, screen: string, { days, compare }: Period) {
  return (turn: number) => {
    const end = Date.now() - turn * 60_000;
    const query = new URLSearchParams({
      startDate: new Date(end - days * 86_400_000).toISOString(),
      endDate: new Date(end).toISOString(),
      ...(compare && { compare: 'previous' }),
    });
    return `/api/${screen}/${projectId}?${query}`;
  };
}

/** Builds the request of a screen for whole days up to today, as the dashboard sends it. The request stays the same all day. */
function buildDaysPath({ projectId }: Loaded, screen: string, { days }: Period): string {
  const format = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ startDate: format(days - 1), endDate: format(0), timeZone: 'UTC' });
  return `/api/${screen}/${projectId}?${query}`;
}

/** Creates the rollups of a loaded project. A running server would have created them while the traces arrived. */
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
