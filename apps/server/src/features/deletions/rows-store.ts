import type { RowsByTable } from '@throughline/contract';
import type { ProjectId } from '../../platform/ids.ts';
import { countRows, type QueryParams, type TraceStore } from '../../platform/trace-store/index.ts';

/** What holds what was sent, by what it is called in a receipt. */
const SENT = { traces: 'traces', steps: 'steps', spans: 'spans', batches: 'ingest_batches' } as const;
/** What figures are read from. */
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

/** What a project sent and what was stored of it until then. */
export interface Sent {
  readonly projectId: ProjectId;
  readonly until: Date;
  /** Answers to batches too: they stay as long as the project does, so that a repeat brings nothing back. */
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
    batches: sent.batches ? await count(SENT.batches) : 0,
  };
}

/** The trace rows go first: without them nothing else is seen. */
export async function deleteSent(store: TraceStore, sent: Sent): Promise<void> {
  const { batches, ...tables } = SENT;
  for (const table of [...Object.values(tables), ...(sent.batches ? [batches] : [])]) {
    await store.command(`DELETE FROM ${table} WHERE ${SENT_UNTIL}`, buildParams(sent));
  }
}

/** Figures that something deleted had gone into: those of a project, or of some of its hours, that were made until then. */
export interface OldFigures {
  readonly projectId: ProjectId;
  /** Null: all. */
  readonly hours: readonly number[] | null;
  /** Epoch ms, by this machine's clock. */
  readonly madeUntilMs: number;
}

function buildCondition({ projectId, hours, madeUntilMs }: OldFigures) {
  return {
    sql: `built <= {until:UInt64}${
      hours === null ? '' : ' AND intDiv(toUInt32(hour), 3600) IN {hours:Array(UInt32)}'
    }`,
    params: {
      project: projectId,
      // A making is numbered by the nanosecond.
      until: String(BigInt(madeUntilMs + 1) * 1_000_000n - 1n),
      ...(hours === null ? {} : { hours }),
    },
  };
}

export async function countFigures(store: TraceStore, figures: OldFigures): Promise<FigureRows> {
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

/** To be called when the hours were made anew: what was made before then counts nowhere, not even what a making left that was cut off. */
export async function deleteFigures(store: TraceStore, figures: OldFigures): Promise<void> {
  const { sql, params } = buildCondition(figures);
  for (const table of Object.values(FIGURES)) {
    await store.commandBeside(`DELETE FROM ${table} WHERE project_id = {project:UUID} AND ${sql}`, params);
  }
}

/** Nothing that is stored from now on is of the project: which of its hours are to be made anew is forgotten, too. */
export async function deleteProjectMarks(store: TraceStore, project: ProjectId): Promise<void> {
  await store.commandBeside('DELETE FROM rollup_marks WHERE project_id = {project:UUID}', { project });
}

/** Writes all parts of tables that have deleted rows anew, without them: until then such rows are only hidden. */
export async function rewriteParts(store: TraceStore): Promise<void> {
  for (const table of TABLES) {
    await store.commandBeside(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`);
  }
}

/** No partition has it: those that are by day are called like 20260131. */
const NO_PARTITION = '00000000';

/** How often the engine is asked to look for files that it can remove: it looks at a part twice before it does. */
const LOOKS = 3;

/**
 * How many parts that were given up for others until then still have their files. The engine removes them when it has nothing better to do, which may
 * take it ten minutes; dropping a partition, here one that does not exist, makes it look at once.
 */
export async function countOldParts(store: TraceStore, until: Date): Promise<number> {
  // After a start, parts that were given up before are found bit by bit.
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
