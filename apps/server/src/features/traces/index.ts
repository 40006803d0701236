import type { ProjectStats } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { VisibleProject } from '../../platform/http/guard.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { DeletionReceipts } from '../deletions/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { createRemoval } from './delete/removal.ts';
import { LARGE_TRACES, ReadingPlaces } from './detail/reading-places.ts';
import { createStepSearch } from './detail/search-steps.ts';
import { type SharedFeed, shareFeed } from './live/feed-between-servers.ts';
import { findHaving } from './live/having-store.ts';
import { createLiveFeed, type LiveFeedDeps } from './live/live-feed.ts';
import { type NewTrace, readNewRows } from './live/new-traces.ts';
import { type ProjectsOfCaller, registerTraceRoutes } from './routes.ts';
import { createTraceSharing, type TraceSharing } from './share-links/trace-sharing.ts';
import type { FindKnownErrors } from './stands-out/stands-out-store.ts';
import { computeStats } from './stats/stats.ts';
import { findTotals } from './store.ts';

export { compareRequests } from './differences/differences.ts';
export type { Compared } from './differences/differences-store.ts';
export { findCertainDifference } from './differences/rank-differences.ts';
export { buildFilterConditions } from './list/conditions.ts';
export { findNextDay, startOfDay } from './list/days.ts';
export { readListQuery } from './list/list-query.ts';
export { readFilters } from './list/read-filters.ts';
export { buildConditions } from './list/selection-store.ts';
export type { TraceSharing } from './share-links/trace-sharing.ts';
export { findListExtent, type ListExtent } from './stats/facets.ts';
export { findNewestTraces, findPage } from './store.ts';

export interface Traces {
  register(http: HttpContext, projects: ProjectsOfCaller): void;
  /** Counts the visible traces by project; 0 for projects without traces. */
  totals(projects: readonly VisibleProject[]): Promise<ReadonlyMap<ProjectId, { readonly count: number }>>;
  stats(project: VisibleProject): Promise<ProjectStats>;
  deleteProject(id: ProjectId): Promise<void>;
  readonly sharing: TraceSharing;
  /** Sends newly stored traces to the live feeds. Reads the rows of the traces before it returns. */
  published(traces: readonly NewTrace[]): void;
  /** Connects the live feeds of all servers that use this control store, in both directions. */
  shareFeed(control: ControlStore): Promise<void>;
  /** Resolves when all published traces were announced to other servers. */
  announced(): Promise<void>;
  /** Ends the live feeds of users who can no longer see a project. */
  projectChanged(id: string): void;
  countFeeds(): number;
  /** Ends all live feeds. */
  close(): void;
}

export function createTraces(
  deps: Omit<LiveFeedDeps, 'having'> & {
    readonly store: TraceStore;
    readonly clock: Clock;
    readonly rollups: Rollups;
    readonly receipts: DeletionReceipts;
    readonly findKnownErrors: FindKnownErrors;
  },
): Traces {
  const { store, clock, findKnownErrors } = deps;
  const feed = createLiveFeed({ ...deps, having: (...asked) => findHaving(store, ...asked) });
  const removal = createRemoval(deps);
  const large = new ReadingPlaces(LARGE_TRACES);
  const searchTrace = createStepSearch(store, large);
  let shared: SharedFeed | undefined;
  return {
    register: (http, projects) =>
      registerTraceRoutes(http, {
        store,
        projects,
        clock,
        feed,
        removal,
        large,
        searchTrace,
        findKnownErrors,
      }),
    async totals(projects) {
      const totals = await findTotals(store, projects);
      const counts = new Map(totals.map((row) => [row.project_id, row.requests]));
      return new Map(projects.map(({ id }) => [id, { count: counts.get(id) ?? 0 }]));
    },
    async stats(project) {
      const [row] = await findTotals(store, [project]);
      return computeStats(row);
    },
    deleteProject: removal.project,
    sharing: createTraceSharing(store, large, searchTrace),
    published(traces) {
      const isShown = ({ projectId }: NewTrace) => shared !== undefined || feed.isWatched(projectId);
      const { rows, missed } = readNewRows(traces.filter(isShown));
      feed.publish(rows);
      shared?.announce(rows);
      for (const [projectId, count] of missed) {
        feed.missed(projectId, count);
        shared?.missed(projectId, count);
      }
    },
    async shareFeed(control) {
      shared = await shareFeed({ control, log: deps.log, feed });
    },
    announced: async () => shared?.settled(),
    projectChanged: feed.projectChanged,
    countFeeds: feed.count,
    close: feed.close,
  };
}
