import { randomInt } from 'node:crypto';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type CallerFigures, findCallerFigures } from './callers-store.ts';
import { type Hour, hourOfMicros, type ProjectHour } from './hours.ts';
import { createHourMarks, type EndOfChange } from './marks.ts';
import { sizeOfProjects } from './project-size-store.ts';
import {
  type Dimension,
  findRequestFigures,
  REQUESTS,
  type RequestFigures,
  SYSTEM,
  type SystemFigures,
} from './request-figures-store.ts';
import { FEW_TRACES, findState, type Range, type Reading, type Shown } from './split-store.ts';
import { findStepFigures, type StepLimits, type StepsFigures } from './step-reading-store.ts';
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

export {
  type AskedRange,
  askedSince,
  type CallerFigures,
  eitherAsked,
  selectAsked,
} from './callers-store.ts';
export { hourOfMicros, hourOfMs, hoursOfRequest, type ProjectHour } from './hours.ts';
export type { EndOfChange } from './marks.ts';
export {
  ENDPOINT,
  ERROR_GROUP,
  FEATURE,
  MAX_MESSAGE_LENGTH,
  SPAN_QUERY,
  STEP_CALLS,
  STEP_DEPENDENCY,
  STEP_NAME,
} from './names-store.ts';
export { FOLDED, type RequestFigures, type SystemFigures } from './request-figures-store.ts';
export { buildShown, type Range, type Reading, type Shown } from './split-store.ts';
export { classifyStep, kindText, StepKinds, textOfKinds } from './step-kinds.ts';
export type { StepFigures } from './step-reading-store.ts';

/** The most hours of a project that one making has, and how long one should take: it goes beside readers, on one thread. */
const MAX_HOURS_AT_ONCE = 720;
const LONG_MS = 1000;
const SHORT_MS = 300;
/** Marks are read so many hours at a time. */
const DUE_AT_ONCE = 2000;
const RUN_MS = 60_000;
/** So many makings can be told apart that begin in the same millisecond. */
const NUMBERS_A_MS = 1_000_000n;

export interface RollupOptions {
  /**
   * How long after its last mark an hour is made anew. Longer than a mark holds and an insert may take together, since another server may still write
   * under a mark of its own.
   */
  readonly quietMs: number;
  /** Of a project with so many traces at most, figures are read from them rather than from rollups. */
  readonly few?: number;
}
const USUAL: RollupOptions = { quietMs: 180_000, few: FEW_TRACES };

/**
 * Figures over many traces that need not be read for them. They are always those of the traces that are stored: whoever changes traces says so
 * before, and hours that changed are read from the traces themselves until they are rolled up anew.
 */
export interface Rollups {
  /** Resolves once the hours are marked as changing; to be ended when the traces are there, or gone, or will not be. */
  changing(hours: readonly ProjectHour[]): Promise<EndOfChange>;
  /** The same for all hours that a project has. */
  changingAll(project: ProjectId): Promise<void>;
  requests(project: Shown, reading: Reading, by: readonly Dimension[]): Promise<RequestFigures[]>;
  /** The same for several ways to tell requests apart, in their order; all in one reading. */
  requestSets(
    project: Shown,
    reading: Reading,
    sets: readonly (readonly Dimension[])[],
  ): Promise<RequestFigures[][]>;
  /** The same with what services said of themselves, which takes twice as long. */
  systemSets(
    project: Shown,
    reading: Reading,
    sets: readonly (readonly Dimension[])[],
  ): Promise<SystemFigures[][]>;
  /** What the known users did, all together and so many of the busiest each. */
  users(project: Shown, reading: Reading, limit: number): Promise<UsersFigures>;
  steps(project: Shown, reading: Reading, limits: StepLimits): Promise<StepsFigures>;
  /** Which services asked which, the busiest first; filters are of the request that was asked for. */
  callers(project: Shown, reading: Reading): Promise<CallerFigures[]>;
  /** The same text as long as the traces of a range are the same; undefined while they may be changing. */
  state(project: ProjectId, range: Range): Promise<string | undefined>;
  /** Makes a range's hours anew from the traces at once, and deletes what was rolled up of them before. */
  rebuild(project: ProjectId, range: Range): Promise<void>;
  /** The same for these hours. */
  rebuildHours(project: ProjectId, hours: readonly Hour[]): Promise<void>;
  /** Deletes what is rolled up of a project, or of what started before an hour. */
  forget(project: ProjectId, before?: Hour): Promise<void>;
  /** Deletes what is rolled up of one user; the hours in which the user was there must be marked, and made anew. */
  forgetUser(project: ProjectId, user: string): Promise<void>;
  /** Makes anew the hours that changed and are quiet now. Goes by itself, every minute. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export function createRollups(
  deps: { readonly store: TraceStore; readonly log: Logger },
  options: RollupOptions = USUAL,
): Rollups {
  const { store, log } = deps;
  const source = { store, isSmall: sizeOfProjects(store, options.few ?? 0) };
  const marks = createHourMarks(store);
  let running: Promise<unknown> = Promise.resolve();
  let closed = false;
  let atOnce = 24;
  /** One after the other, so that a later making of an hour has seen what an earlier one saw. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const turn = running.then(task);
    running = turn.catch(() => {});
    return turn;
  };

  const build = async (project: ProjectId, hours: readonly Hour[]) => {
    const newest = await findNewestBuilt(store, project);
    const now = BigInt(Date.now()) * NUMBERS_A_MS;
    // Two servers may make one hour in the same millisecond: under one number their figures would be added up.
    const built = (now > newest ? now : newest + 1n) + BigInt(randomInt(Number(NUMBERS_A_MS)));
    await buildHours(store, project, hours, built);
  };

  /** Makes hours of a project anew, so many by a statement that none takes long. How many could be. */
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

  /** How many of them could be made anew. */
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
    // What was made anew in an earlier run; a reader may still be at what the last one replaced.
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
    const hours = await findHours(store, project, hourOfMicros(from), hourOfMicros(until - 1n) + 1);
    await rebuildHours(project, hours);
  };

  const timer = setInterval(() => {
    inTurn(run).catch((err: unknown) =>
      log.warn({ err }, 'rolling up failed, and is tried again in a minute'),
    );
  }, RUN_MS).unref();
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
        // What came while the rest was deleted may just have been rolled up.
        if (before === undefined) await markAll(store, project);
      }),
    forgetUser: (project, user) => inTurn(() => deleteUserRollups(store, project, user)),
    run: () => inTurn(run),
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
