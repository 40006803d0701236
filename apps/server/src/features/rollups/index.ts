import { randomInt } from 'node:crypto';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { createHourMarks, type EndMutation } from './dirty-hours.ts';
import { type Hour, type ProjectHour, toHourFromMicros } from './hours.ts';
import { createSizeCheck } from './project-size-store.ts';
import {
  type Dimension,
  findRequestFigures,
  REQUESTS,
  type RequestFigures,
  SYSTEM,
  type SystemFigures,
} from './request-figures-store.ts';
import { FEW_TRACES, findState, type Range, type Reading, type Shown } from './rollup-query-plan-store.ts';
import { type CallerFigures, findCallerFigures } from './service-edges-store.ts';
import { findStepFigures, type StepLimits, type StepsFigures } from './steps/step-reading-store.ts';
import {
  buildHours,
  type DueHour,
  deleteMarks,
  deleteRollups,
  deleteSuperseded,
  deleteUserRollups,
  findDue,
  findHours,
  findNewestBuilt,
  markAll,
} from './store.ts';
import { findUsersFigures, type UsersFigures } from './user-figures-store.ts';

export type { EndMutation } from './dirty-hours.ts';
export {
  clampHour,
  HOURS_APART,
  hourToSeconds,
  listRequestHours,
  type ProjectHour,
  toHourFromMicros,
  toHourFromMs,
} from './hours.ts';
export {
  buildErrorId,
  ENDPOINT,
  ERROR_GROUP,
  ERROR_ID,
  ERROR_PLACE,
  FEATURE,
  MAX_MESSAGE_LENGTH,
  PLACED_ERROR_ID,
  SPAN_QUERY,
  STEP_CALLS,
  STEP_DEPENDENCY,
  STEP_NAME,
} from './names-store.ts';
export { type RequestPart, selectPart } from './part-conditions-store.ts';
export { FOLDED, type RequestFigures, type SystemFigures } from './request-figures-store.ts';
export { buildShown, type Range, type Reading, type Shown, selectHours } from './rollup-query-plan-store.ts';
export {
  type AskedRange,
  type CallerFigures,
  findEdgesSince,
  selectAllEdges,
  selectEdges,
} from './service-edges-store.ts';
export { DURATION_RANKS } from './states-store.ts';
export {
  classifyStep,
  formatKind,
  formatKinds,
  StepKinds,
} from './steps/step-kinds.ts';
export { type DependencyHour, findDependencyHours, type StepFigures } from './steps/step-reading-store.ts';

/**
 * Maximum number of hours per build of a project. After a build that took more than `LONG_MS`, the next build has half as many hours; after
 * a build that took less than `SHORT_MS`, twice as many. Builds are short because they share one thread with readers.
 */
const MAX_HOURS_AT_ONCE = 720;
const LONG_MS = 1000;
const SHORT_MS = 300;
/** Maximum number of marked hours read at a time. */
const DUE_AT_ONCE = 2000;
const RUN_MS = 60_000;
/** Number of different build numbers within one millisecond. */
const NUMBERS_A_MS = 1_000_000n;

export interface RollupOptions {
  /**
   * Time from the last mark of an hour until the hour is rebuilt. A change can begin as long as its mark is valid, and then takes as long
   * as its insert. `quietMs` must therefore be longer than the lifetime of a mark plus the duration of an insert.
   */
  readonly quietMs: number;
  /** For a project with at most this many traces, stats of requests and users are computed from traces instead of rollups. */
  readonly few?: number;
}
const USUAL: RollupOptions = { quietMs: 180_000, few: FEW_TRACES };

/**
 * Computes stats over many traces. For large projects, reads rollups instead of the traces. The stats always match the stored traces:
 * changes are announced before they happen, and the stats of a changed hour are computed from its traces until the hour is rolled up again.
 */
export interface Rollups {
  /**
   * Resolves when the hours are marked as changing. Call the returned function when the traces are stored or deleted, or when storing or
   * deleting them failed.
   */
  changing(hours: readonly ProjectHour[]): Promise<EndMutation>;
  changingAll(project: ProjectId): Promise<void>;
  requests(project: Shown, reading: Reading, by: readonly Dimension[]): Promise<RequestFigures[]>;
  /** Returns stats for several groupings in one query, in the order of the groupings. */
  requestSets(
    project: Shown,
    reading: Reading,
    sets: readonly (readonly Dimension[])[],
  ): Promise<RequestFigures[][]>;
  /**
   * Returns stats for several groupings, including metrics that the services report, such as heap size. Takes twice as long as
   * `requestSets`.
   */
  systemSets(
    project: Shown,
    reading: Reading,
    sets: readonly (readonly Dimension[])[],
  ): Promise<SystemFigures[][]>;
  /** Returns stats of users with a known id: totals, and the `limit` busiest users. */
  users(project: Shown, reading: Reading, limit: number): Promise<UsersFigures>;
  steps(project: Shown, reading: Reading, limits: StepLimits): Promise<StepsFigures>;
  /** Returns which services called which other services, the busiest first. Filters apply to the callee. */
  callers(project: Shown, reading: Reading): Promise<CallerFigures[]>;
  /**
   * Returns a string that stays the same as long as no trace of the range's hours changes; undefined from a change until the changed hours
   * are rebuilt.
   */
  state(project: ProjectId, range: Range): Promise<string | undefined>;
  /** Rebuilds the rollups of a range's hours immediately from the traces, and deletes the earlier rollups of these hours. */
  rebuild(project: ProjectId, range: Range): Promise<void>;
  /** Rebuilds these hours. */
  rebuildHours(project: ProjectId, hours: readonly Hour[]): Promise<void>;
  /** Deletes all rollups of a project, or only the rollups of hours before `before`. */
  forget(project: ProjectId, before?: Hour): Promise<void>;
  /** Deletes the rollups of one user. The caller must mark the user's hours and rebuild them. */
  forgetUser(project: ProjectId, user: string): Promise<void>;
  /** Rebuilds hours that changed and have had no further change for `quietMs`. Runs automatically every minute. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export function createRollups(
  deps: { readonly store: TraceStore; readonly log: Logger },
  options: RollupOptions = USUAL,
): Rollups {
  const { store, log } = deps;
  const source = { store, isSmall: createSizeCheck(store, options.few ?? 0) };
  const marks = createHourMarks(store);
  let running: Promise<unknown> = Promise.resolve();
  let closed = false;
  let atOnce = 24;
  /** Runs tasks one after the other, so that a later build of an hour reads at least the traces that an earlier build read. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const turn = running.then(task);
    running = turn.catch(() => {});
    return turn;
  };

  const build = async (project: ProjectId, hours: readonly Hour[]) => {
    const newest = await findNewestBuilt(store, project);
    const now = BigInt(Date.now()) * NUMBERS_A_MS;
    // The build number contains random digits, because two servers can build the same hour in the same millisecond; rollups with the same
    // build number would be added up.
    const built = (now > newest ? now : newest + 1n) + BigInt(randomInt(Number(NUMBERS_A_MS)));
    await buildHours(store, project, hours, built);
  };

  /** Rebuilds hours of a project in statements small enough to be fast. Returns how many hours were rebuilt. */
  const buildAll = async (project: ProjectId, hours: readonly Hour[]): Promise<number> => {
    let from = 0;
    while (from < hours.length && !closed) {
      const some = hours.slice(from, from + atOnce);
      const startMs = performance.now();
      await build(project, some);
      const tookMs = performance.now() - startMs;
      if (tookMs > LONG_MS) atOnce = Math.max(1, Math.floor(atOnce / 2));
      else if (tookMs < SHORT_MS) atOnce = Math.min(MAX_HOURS_AT_ONCE, atOnce * 2);
      from += some.length;
    }
    return from;
  };

  /** Rebuilds due hours. Returns how many hours were rebuilt. */
  const buildDue = async (due: readonly DueHour[]): Promise<number> => {
    const done: DueHour[] = [];
    for (const [project, all] of Map.groupBy(due, ({ projectId }) => projectId)) {
      const hours = all.filter((hour) => marks.take(hour));
      const built = await buildAll(
        project,
        hours.map(({ hour }) => hour),
      );
      done.push(...hours.slice(0, built));
    }
    await deleteMarks(
      store,
      done.flatMap((hour) => hour.marks),
    );
    return done.length;
  };

  const run = async () => {
    // Deletes the rollups that the previous run replaced. The previous run did not delete them itself, because a reader could still be
    // using them.
    await deleteSuperseded(store);
    for (let built = DUE_AT_ONCE; built === DUE_AT_ONCE && !closed; ) {
      built = await buildDue(await findDue(store, options.quietMs, DUE_AT_ONCE));
    }
  };

  const rebuildHours = async (project: ProjectId, hours: readonly Hour[]) => {
    await buildAll(project, hours);
    await deleteSuperseded(store, project);
  };

  const rebuild = async (project: ProjectId, { from, until }: Range) => {
    const hours = await findHours(store, project, toHourFromMicros(from), toHourFromMicros(until - 1n) + 1);
    await rebuildHours(project, hours);
  };

  const job = startPeriodicJob({
    everyMs: RUN_MS,
    work: () => inTurn(run),
    log,
    failure: 'the rollups could not be updated; the server will try again in a minute',
  });
  return {
    changing: marks.changing,
    changingAll: (project) => markAll(store, project),
    requests: async (project, reading, by) =>
      (await findRequestFigures(source, project, reading, [by], REQUESTS)).flat(),
    requestSets: (project, reading, sets) => findRequestFigures(source, project, reading, sets, REQUESTS),
    systemSets: (project, reading, sets) => findRequestFigures(source, project, reading, sets, SYSTEM),
    users: (project, reading, limit) => findUsersFigures(source, project, reading, limit),
    steps: (project, reading, limits) => findStepFigures(store, project, reading, limits),
    callers: (project, reading) => findCallerFigures(store, project, reading),
    state: (project, range) => findState(store, project, range),
    rebuild: (project, range) => inTurn(() => rebuild(project, range)),
    rebuildHours: (project, hours) => inTurn(() => rebuildHours(project, hours)),
    forget: (project, before) =>
      inTurn(async () => {
        await deleteRollups(store, project, before);
        // Marks all hours as dirty, so that they are rolled up again. A trace that arrived during the deletion can already have been
        // rolled up, and the deletion above has then removed its rollup.
        if (before === undefined) await markAll(store, project);
      }),
    forgetUser: (project, user) => inTurn(() => deleteUserRollups(store, project, user)),
    run: () => inTurn(run),
    async close() {
      closed = true;
      await job.close();
      await running;
    },
  };
}
