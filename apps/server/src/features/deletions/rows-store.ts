import type { RowsByTable } from '@throughline/contract';
import type { ProjectId } from '../../platform/ids.ts';
import { countRows, type QueryParams, type TraceStore } from '../../platform/trace-store/index.ts';

/** Tables that contain sent data, by their names in a receipt. */
const SENT = {
  traces: 'traces',
  steps: 'steps',
  spans: 'spans',
  sources: 'sources',
  batches: 'ingest_batches',
} as const;
/** Tables that contain rollups. */
const FIGURES = {
  requestFigures: 'request_rollups',
  userFigures: 'user_rollups',
  stepFigures: 'step_rollups',
  callerFigures: 'caller_rollups',
  figureHours: 'rollup_hours',
} as const;
const TABLES = Object.values({ ...SENT, ...FIGURES });

export type SentRows = Pick<RowsByTable, keyof typeof SENT>;
type FigureRows = Pick<RowsByTable, keyof typeof FIGURES>;

/** The data that a project sent and that was stored before `until`. */
export interface Sent {
  readonly projectId: ProjectId;
  readonly until: Date;
  /**
   * True to include the stored responses to batches. A response is stored as long as its project exists, so that a batch that is sent again
   * stores nothing.
   */
  readonly batches: boolean;
}

const SENT_UNTIL = 'project_id = {project:UUID} AND stored_at <= fromUnixTimestamp64Milli({until:Int64})';

function buildParams({ projectId, until }: Sent): QueryParams {
  return { project: projectId, until: String(until.getTime()) };
}

export async function countSent(store: TraceStore, sent: Sent): Promise<SentRows> {
  const count = (table: string) =>
    countRows(store, `SELECT count() AS rows FROM ${table} WHERE ${SENT_UNTIL}`, buildParams(sent));
  return {
    traces: await count(SENT.traces),
    steps: await count(SENT.steps),
    spans: await count(SENT.spans),
    sources: await count(SENT.sources),
    batches: sent.batches ? await count(SENT.batches) : 0,
  };
}

/** Deletes trace rows first, because all other rows are invisible without them. */
export async function deleteSent(store: TraceStore, sent: Sent): Promise<void> {
  const { batches, ...tables } = SENT;
  for (const table of [...Object.values(tables), ...(sent.batches ? [batches] : [])]) {
    await store.command(`DELETE FROM ${table} WHERE ${SENT_UNTIL}`, buildParams(sent));
  }
}

/**
 * Rollups that contained deleted data: the rollups of a project, or of some of its hours, that were built no later than a point in time.
 */
export interface OutdatedRollups {
  readonly projectId: ProjectId;
  /** Null means all hours. */
  readonly hours: readonly number[] | null;
  /** Only rollups that were built no later than this time are outdated. Epoch ms by this machine's clock. */
  readonly madeUntilMs: number;
}

function buildCondition({ projectId, hours, madeUntilMs }: OutdatedRollups) {
  return {
    sql: `built <= {until:UInt64}${
      hours === null ? '' : ' AND intDiv(toUInt32(hour), 3600) IN {hours:Array(UInt32)}'
    }`,
    params: {
      project: projectId,
      // The number of a build is the time of the build in nanoseconds.
      until: String(BigInt(madeUntilMs + 1) * 1_000_000n - 1n),
      ...(hours === null ? {} : { hours }),
    },
  };
}

export async function countFigures(store: TraceStore, figures: OutdatedRollups): Promise<FigureRows> {
  const { sql, params } = buildCondition(figures);
  const count = (table: string) =>
    countRows(
      store,
      `SELECT count() AS rows FROM ${table} WHERE project_id = {project:UUID} AND ${sql}`,
      params,
    );
  return {
    requestFigures: await count(FIGURES.requestFigures),
    userFigures: await count(FIGURES.userFigures),
    stepFigures: await count(FIGURES.stepFigures),
    callerFigures: await count(FIGURES.callerFigures),
    figureHours: await count(FIGURES.figureHours),
  };
}

/**
 * Deletes old rollups. Call this function after the hours were rebuilt: then earlier builds, including rows of an interrupted build, are no
 * longer used.
 */
export async function deleteFigures(store: TraceStore, figures: OutdatedRollups): Promise<void> {
  const { sql, params } = buildCondition(figures);
  for (const table of Object.values(FIGURES)) {
    await store.commandBeside(`DELETE FROM ${table} WHERE project_id = {project:UUID} AND ${sql}`, params);
  }
}

/** Deletes the project's dirty-hour marks, since a deleted project gets no new rows. */
export async function deleteProjectMarks(store: TraceStore, project: ProjectId): Promise<void> {
  await store.commandBeside('DELETE FROM rollup_marks WHERE project_id = {project:UUID}', { project });
}

/** Rewrites all parts that contain deleted rows. Until then such rows are only hidden. */
export async function rewriteParts(store: TraceStore): Promise<void> {
  for (const table of TABLES) {
    await store.commandBeside(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`);
  }
}

/** The id of a partition that does not exist. Daily partitions have ids like 20260131. */
const NO_PARTITION = '00000000';

/**
 * Maximum number of times that the parts are counted again after ClickHouse was made to look for removable files. ClickHouse checks a part
 * twice before it removes the part's files.
 */
const LOOKS = 3;

/**
 * Counts parts that were replaced before `until` and still have files. ClickHouse removes such files when idle, which can take ten minutes.
 * Dropping a partition, here a partition that does not exist, makes ClickHouse look for such files immediately.
 */
export async function countOldParts(store: TraceStore, until: Date): Promise<number> {
  // After ClickHouse has started, it discovers replaced parts gradually.
  for (const table of TABLES) await store.commandBeside(`SYSTEM WAIT LOADING PARTS ${table}`);
  let left = 0;
  for (let look = 0; look <= LOOKS; look += 1) {
    left = await countRows(
      store,
      `SELECT count() AS rows FROM ${store.partsOfAllNodes}
       WHERE NOT active AND table IN {tables:Array(String)} AND remove_time <= fromUnixTimestamp64Milli({until:Int64})`,
      { tables: TABLES, until: String(until.getTime()) },
    );
    if (left === 0) return 0;
    for (const table of TABLES)
      await store.commandBeside(`ALTER TABLE ${table} DROP PARTITION ID '${NO_PARTITION}'`);
  }
  return left;
}
