import { MAX_PART_BYTES, type TracePart } from '@throughline/contract';
import { z } from 'zod';
import { toMicros } from '../../../platform/clock.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import {
  type QueryParams,
  readColumns,
  STEP_CAPTURED_SQL,
  STEP_ERROR_SQL,
  stepMembersSql,
  TRACES,
  type TraceStore,
  timeOfTraceId,
} from '../../../platform/trace-store/index.ts';
import { selectProjects } from '../list/conditions.ts';
import { type StoredTrace, selectWholeTrace, WholeRow } from '../store.ts';
import { type PartsRead, selectPart } from '../trace-parts-store.ts';

const HEAD = readColumns(TRACES, [
  'id',
  'project_id',
  'trace_id',
  'span_id',
  'has_spans',
  'step_count',
  'stored_at',
]);
/** The columns of a trace's row that show where its steps are. */
export type TraceHead = z.output<typeof HEAD.row>;

/** Reads a trace that belongs to one of the projects and has not expired. `id` is a UUID. */
export type FindTrace<Found> = (
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
) => Promise<Found | undefined>;

/** Finds a trace without its steps. */
export async function findTrace(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
  parts: PartsRead,
): Promise<StoredTrace | undefined> {
  return findRow(store, projects, id, { columns: selectWholeTrace(parts), row: WholeRow });
}

/** Finds one captured part of a trace as JSON; empty if nothing was captured. */
export async function findTracePart(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
  part: TracePart,
  read: Exclude<PartsRead, 'small'>,
): Promise<string | undefined> {
  const columns = `${HEAD.sql}, ${selectPart(part, read)}`;
  const row = HEAD.row.extend({ part: z.string() });
  return (await findRow(store, projects, id, { columns, row }))?.part;
}

/** Finds only the columns that show where a trace's steps are, which takes a third of the work of reading the whole row. */
export async function findTraceHead(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
): Promise<TraceHead | undefined> {
  return findRow(store, projects, id, { columns: HEAD.sql, row: HEAD.row });
}

/** Finds the columns that locate a trace, and the versions of its source files as JSON; empty if no sources were sent. */
export async function findSourceVersions(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
): Promise<(TraceHead & { readonly sources: string }) | undefined> {
  const row = HEAD.row.extend({ sources: z.string() });
  return findRow(store, projects, id, { columns: `${HEAD.sql}, sources`, row });
}

async function findRow<Row extends z.ZodType<TraceHead>>(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
  { columns, row }: { readonly columns: string; readonly row: Row },
): Promise<z.output<Row> | undefined> {
  if (projects.length === 0) return undefined;
  const { sql, params } = selectProjects(projects);
  // The query has no ORDER BY or LIMIT, because with them ClickHouse would read the granules twice. There are at most two rows, if two
  // servers stored the trace at the same time.
  const rows = await store.rows(
    row,
    `SELECT ${columns} FROM traces WHERE ${sql.join(' AND ')} AND id_time_ms = {idTime:UInt64} AND id = {id:UUID}`,
    { ...params, idTime: String(timeOfTraceId(id)), id },
  );
  return rows.reduce<z.output<Row> | undefined>(
    (newest, each) => (newest === undefined || each.stored_micros > newest.stored_micros ? each : newest),
    undefined,
  );
}

/** Builds SQL for a step as JSON in the contract's Step format. Values are copied, because they arrived as JSON. */
export const stepJson = (withValues: boolean) => `concat(
  '{"stepId":', toJSONString(step_id),
  ',"parentStepId":', if(parent_step_id = '', 'null', toJSONString(parent_step_id)),
  ',"sequence":', toString(sequence), ',',
  ${STEP_MEMBERS},
  if(repeat = '', '', concat(',"repeat":', repeat)),
  ${STEP_ERROR_SQL},
  if(metadata = ''${withValues ? '' : ` OR length(metadata) > ${MAX_PART_BYTES}`}, '', concat(',"metadata":', metadata)),
  ${withValues ? `${STEP_CAPTURED_SQL},` : ''}
  '}')`;

const STEP_MEMBERS = stepMembersSql({
  startMicros: 'start_micros',
  endMicros: 'start_micros + toInt64(duration_micros) + end_drift_micros',
  durationMs: 'duration_micros / 1000',
});

/**
 * Up to this number of steps, one thread is used: the steps are in one or two granules, which are read before a second thread would have
 * started.
 */
const FEW_STEPS = 1000;

/** A range of step indexes in a trace; `until` is exclusive. */
export interface StepRange {
  readonly from: number;
  readonly until: number;
}

/** Finds a trace's steps in order, each as JSON: all steps, or a range. */
export async function findSteps(
  store: TraceStore,
  trace: TraceHead,
  options: { readonly values: boolean },
  { from, until }: StepRange = { from: 0, until: trace.step_count },
): Promise<string[]> {
  if (until === from) return [];
  const threads = until - from <= FEW_STEPS ? ', max_threads = 1' : '';
  // An interrupted insert can leave steps that its retry inserted again, so the newest row of each index is used. Reading in the table's
  // order would open every part for its first row and take three times as long.
  const find = (within: string) =>
    store.lines(
      `SELECT ${stepJson(options.values)} FROM steps WHERE ${OF_TRACE} AND ordinal >= {from:UInt32} AND ordinal < {until:UInt32}${within}
       ORDER BY ordinal, stored_at DESC LIMIT 1 BY ordinal SETTINGS optimize_read_in_order = 0${threads}`,
      { ...buildKeyParams(trace), ...buildStoredParams(trace.stored_micros), from, until },
    );
  const steps = await find(STORED_WITH);
  return steps.length === until - from ? steps : find('');
}

/**
 * Finds the steps without reading the trace's row first. Reads all steps of this trace id that were stored in one hour, which begins a
 * minute before the time in the id. {@link selectStoredSteps} then selects the valid steps by the row. Returns undefined if there are too
 * many steps.
 */
export async function findStepsNear(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
  options: { readonly values: boolean },
): Promise<readonly NearStep[] | undefined> {
  if (projects.length === 0) return [];
  const timeMicros = toMicros(timeOfTraceId(id));
  const lines = await store.lines(
    `SELECT concat(toString(project_id), ' ', toString(ordinal), ' ', toString(toUnixTimestamp64Micro(stored_at)), ' ', ${stepJson(options.values)})
     FROM steps WHERE project_id IN {projects:Array(UUID)} AND trace_time_ms = {time:UInt64} AND trace = {trace:UUID}${STORED_WITH}
     ORDER BY ordinal, stored_at DESC LIMIT ${FEW_STEPS + 1} SETTINGS optimize_read_in_order = 0, max_threads = 1`,
    {
      projects: projects.map((project) => project.id),
      time: String(timeOfTraceId(id)),
      trace: id,
      ...buildStoredParams(timeMicros - MINUTE_MICROS),
    },
  );
  return lines.length > FEW_STEPS ? undefined : lines.map(readNearStep);
}

interface NearStep {
  readonly projectId: string;
  readonly ordinal: number;
  readonly storedMicros: bigint;
  readonly json: string;
}

function readNearStep(line: string): NearStep {
  const [projectId = '', ordinal = '', storedMicros = ''] = line.split(' ', 3);
  const json = line.slice(projectId.length + ordinal.length + storedMicros.length + 3);
  return { projectId, ordinal: Number(ordinal), storedMicros: BigInt(storedMicros), json };
}

/** Selects from `near` the steps that {@link findSteps} would return; undefined if any of them is missing. */
export function selectStoredSteps(near: readonly NearStep[], trace: TraceHead): string[] | undefined {
  const from = trace.stored_micros;
  const newest = new Map<number, string>();
  for (const { projectId, ordinal, storedMicros, json } of near) {
    const isWith = storedMicros >= from && storedMicros < from + HOUR_MICROS;
    if (projectId === trace.project_id && isWith && ordinal < trace.step_count && !newest.has(ordinal))
      newest.set(ordinal, json);
  }
  return newest.size === trace.step_count ? [...newest.values()] : undefined;
}

export async function findStep(
  store: TraceStore,
  trace: TraceHead,
  stepId: string,
): Promise<string | undefined> {
  const find = async (within: string) => {
    const [step] = await store.lines(
      `SELECT ${stepJson(true)} FROM steps
       WHERE ${OF_TRACE} AND ordinal < {count:UInt32} AND step_id = {stepId:String}${within}
       ORDER BY ordinal, stored_at DESC SETTINGS optimize_read_in_order = 0`,
      {
        ...buildKeyParams(trace),
        ...buildStoredParams(trace.stored_micros),
        count: trace.step_count,
        stepId,
      },
    );
    return step;
  };
  return (await find(STORED_WITH)) ?? find('');
}

/**
 * Restricts the search to the parts of one storage day, because steps are stored on the same day as their trace's row. In each part of
 * another day, ClickHouse would have to read a granule. The range is an hour long, because the steps can be newer than the row: if two
 * servers stored the trace at the same time, a merge can keep the steps of the other server.
 */
const STORED_WITH = ` AND stored_at >= fromUnixTimestamp64Micro({storedFrom:Int64})
  AND stored_at < fromUnixTimestamp64Micro({storedUntil:Int64})`;
const MINUTE_MICROS = 60_000_000n;
const HOUR_MICROS = 60n * MINUTE_MICROS;

/** Builds the parameters of {@link STORED_WITH} for a range of one hour. */
function buildStoredParams(fromMicros: bigint): QueryParams {
  return { storedFrom: String(fromMicros), storedUntil: String(fromMicros + HOUR_MICROS) };
}

export const OF_TRACE =
  'project_id = {project:UUID} AND trace_time_ms = {time:UInt64} AND trace = {trace:UUID}';

export function buildKeyParams(trace: { readonly id: string; readonly project_id: string }): QueryParams {
  return { project: trace.project_id, time: String(timeOfTraceId(trace.id)), trace: trace.id };
}
