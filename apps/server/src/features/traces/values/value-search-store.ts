import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { type Conditions, combineConditions } from '../list/conditions.ts';
import { selectStartsBetween } from '../list/selection-store.ts';
import type { PathTests } from './value-conditions-store.ts';

/**
 * A range of start times that is searched together, with the first and the last time in the ids of the traces that started in this range.
 */
export interface SearchWindow {
  /** Start of the range in epoch microseconds; inclusive. */
  readonly from: bigint;
  /** End of the range in epoch microseconds; exclusive. */
  readonly until: bigint | undefined;
  readonly traces: number;
  /** Number of steps of the window's traces. */
  readonly steps: number;
  readonly firstMs: string;
  readonly lastMs: string;
}

const micros = z.string().transform(BigInt);
const Window = z.object({
  traces: z.coerce.number(),
  steps: z.coerce.number(),
  from_micros: micros,
  first_ms: z.string(),
  last_ms: z.string(),
});

/** Finds the window of the newest `count` traces between `from` and `until`; undefined if there are none. */
export async function findWindow(
  store: TraceStore,
  among: Conditions,
  {
    from,
    until,
    count,
  }: { readonly from: bigint | undefined; readonly until: bigint | undefined; readonly count: number },
): Promise<SearchWindow | undefined> {
  const { sql, params } = combineConditions(among, selectStartsBetween(from, until, 'window'));
  const [row] = await store.rowsBeside(
    Window,
    `SELECT count() AS traces, sum(step_count) AS steps, toString(toUnixTimestamp64Micro(min(start_time))) AS from_micros,
       toString(min(id_time_ms)) AS first_ms, toString(max(id_time_ms)) AS last_ms
     FROM (SELECT start_time, id_time_ms, step_count FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_time DESC LIMIT {windowTraces:UInt32} WITH TIES)`,
    { ...params, windowTraces: count },
  );
  if (row === undefined || row.traces === 0) return undefined;
  const { traces, steps, from_micros, first_ms, last_ms } = row;
  return { from: from_micros, until, traces, steps, firstMs: first_ms, lastMs: last_ms };
}

const Candidate = z.object({
  id: z.uuid(),
  micros,
  project_id: z.uuid(),
  trace_id: z.string(),
  time_ms: z.string(),
  span_id: z.string(),
  has_spans: z.coerce.boolean(),
  /** True if a body or the query of the request can match. If false, a step or span can match. */
  in_bodies: z.coerce.boolean(),
  /** A short step that has the value and all names of the path. Without such a step, the fields are empty. */
  sample: z.object({ step_id: z.string(), name: z.string(), captured: z.string() }),
});
/** A trace with a value that can match. If only a span can match, the span can belong to another request of the distributed trace. */
export type Candidate = z.output<typeof Candidate>;

/** Maximum length of a {@link Candidate.sample}, because a window can have 20,000 of them. */
const MAX_SAMPLE = 4096;
const MAX_MEMORY_BYTES = 400 * 1024 * 1024;
/**
 * Number of rows that ClickHouse compares at a time. With the default of 65,409 rows, the values and their pieces need more than
 * `MAX_MEMORY_BYTES`.
 */
const MAX_BLOCK_ROWS = 4096;

/** Finds the traces of a window with a value that matches the tests, newest first. */
export async function findCandidates(
  store: Pick<TraceStore, 'rowsBeside'>,
  among: Conditions,
  window: SearchWindow,
  { projectIds, step, path, bodies, params }: ValueTests,
): Promise<Candidate[]> {
  const { sql, params: ofWindow } = combineConditions(
    among,
    selectStartsBetween(window.from, window.until, 'window'),
  );
  const inWindow = `trace_time_ms BETWEEN {valueFirst:UInt64} AND {valueLast:UInt64}
    AND (trace_time_ms, trace) IN (SELECT id_time_ms, id FROM traces WHERE ${sql.join(' AND ')})`;
  const ofSteps = selectTraces(inWindow, { step, path });
  return store.rowsBeside(
    Candidate,
    `SELECT id, toString(toUnixTimestamp64Micro(start_time)) AS micros, project_id, trace_id,
       toString(id_time_ms) AS time_ms, span_id, has_spans, ${bodies} AS in_bodies, found.sample AS sample
     FROM traces LEFT ANY JOIN (${ofSteps}) AS found ON found.trace = traces.id
     WHERE ${sql.join(' AND ')} AND (
       found.is_found
       OR (has_spans AND (project_id, trace_id) IN (SELECT project_id, trace_id FROM spans WHERE project_id IN {valueProjects:Array(UUID)}
         AND trace_id IN (SELECT trace_id FROM traces WHERE ${sql.join(' AND ')} AND has_spans) AND ${step} AND ${path?.whole ?? 'true'}))
       OR in_bodies)
     ORDER BY start_time DESC, id DESC LIMIT 1 BY id LIMIT {valueRows:UInt32}`,
    {
      ...ofWindow,
      ...params,
      valueProjects: projectIds,
      valueFirst: window.firstMs,
      valueLast: window.lastMs,
      valueRows: window.traces,
    },
  );
}

/** SQL condition for a step that contains a reference, so that a path can continue in another step. */
const REFERS = String.raw`match(captured, ':\\s*"reference"')`;

/** Columns of a step in {@link Candidate.sample}, in their order. */
const SAMPLE = "CAST({}, 'Tuple(step_id String, name String, captured String)') AS sample";

/**
 * Selects the traces whose steps can have the value, each once. For a path of several names, either one step has the value and all names,
 * or the step with the first name contains a reference, which can lead to the value in another step.
 */
function selectTraces(inWindow: string, { step, path }: Pick<ValueTests, 'step' | 'path'>): string {
  const sample = (tuple: string) => SAMPLE.replace('{}', tuple);
  if (path === undefined)
    return `SELECT DISTINCT trace, true AS is_found, ${sample("('', '', '')")} FROM steps
      WHERE project_id IN {valueProjects:Array(UUID)} AND ${inWindow} AND ${step}`;
  // A path usually begins with the name of a step, so a step with this name is the best sample.
  return `SELECT trace, true AS is_found, ${sample('argMaxIf((step_id, name, captured), is_named, matches AND is_whole AND is_short)')} FROM (
      SELECT trace, step_id, name, captured, ${step} AS matches, ${path.whole} AS is_whole, (${path.first} AND ${REFERS}) AS refers,
        name = {valuePath0:String} AS is_named, length(captured) <= ${MAX_SAMPLE} AS is_short
      FROM steps WHERE project_id IN {valueProjects:Array(UUID)} AND ${inWindow} AND (matches OR refers))
    GROUP BY trace HAVING max(matches AND is_whole) OR (max(matches) AND max(refers))`;
}

/** Conditions on the columns with values; see `buildValueConditions`. */
export interface ValueTests {
  readonly projectIds: readonly string[];
  readonly step: string;
  /** Undefined for a text, and for a path of only one name. */
  readonly path: PathTests | undefined;
  readonly bodies: string;
  readonly params: QueryParams;
}

/** True if ClickHouse stopped a statement because it took too long or too much memory. */
export function isStopped(error: unknown): boolean {
  return (
    error instanceof Error &&
    /\bTIMEOUT_EXCEEDED\b|\bMEMORY_LIMIT_EXCEEDED\b|Timeout exceeded|memory limit exceeded/i.test(
      error.message,
    )
  );
}

const StepRow = z.object({ owner: z.string(), step_id: z.string(), name: z.string(), captured: z.string() });
/** A row of `steps`. `time_ms` and `ordinal` are the row's position in the order of the table. */
const PlacedStep = StepRow.extend({ project_id: z.uuid(), time_ms: z.string(), ordinal: z.number() });
const BodyRow = z.object({
  id: z.string(),
  request_query: z.string(),
  request_body: z.string(),
  response_body: z.string(),
});
export type BodyRow = z.output<typeof BodyRow>;
export type StepRow = z.output<typeof StepRow>;
/** A row of `spans`; `owner` is the id of its distributed trace, and `step_id` is the id of the span. */
const SpanRow = StepRow.extend({ project_id: z.uuid(), captured: z.string().default('') });
export type SpanRow = z.output<typeof SpanRow>;

/** Maximum number of steps whose values are read at a time. */
const STEPS_AT_ONCE = 2000;
/** Maximum number of spans read at a time, which blocks the event loop for about ten milliseconds. Values are longer than ids. */
export const SPANS_AT_ONCE = { ids: 20_000, values: 2000 } as const;

/**
 * Returns a store whose statements ClickHouse stops with an error at the limits of a search; see {@link isStopped}. Inserts do not wait for
 * these statements.
 */
export function limitStatements(store: TraceStore, seconds: number): Pick<TraceStore, 'rowsBeside'> {
  return {
    rowsBeside: (row, sql, params) =>
      store.rowsBeside(
        row,
        `${sql} SETTINGS max_execution_time = ${Math.ceil(seconds)}, max_memory_usage = ${MAX_MEMORY_BYTES}, max_block_size = ${MAX_BLOCK_ROWS}`,
        params,
      ),
  };
}

/** Reads the query and bodies of candidates. */
export function readBodies(
  store: Pick<TraceStore, 'rowsBeside'>,
  candidates: readonly Candidate[],
): Promise<readonly BodyRow[]> {
  return store.rowsBeside(
    BodyRow,
    `SELECT id, request_query, request_body, response_body FROM traces
     WHERE project_id IN {projects:Array(UUID)} AND id_time_ms IN {times:Array(UInt64)} AND id IN {ids:Array(UUID)}`,
    listIds(candidates),
  );
}

/**
 * Yields, page by page, steps of the candidates, trace by trace. `holding` selects the steps that contain all names of the path, or the
 * first name and a reference; `referred` selects all steps that can continue a path across references.
 */
export async function* readSteps(
  store: Pick<TraceStore, 'rowsBeside'>,
  candidates: readonly Candidate[],
  { path, params }: Pick<ValueTests, 'path' | 'params'>,
  which: 'holding' | 'referred',
): AsyncGenerator<readonly StepRow[]> {
  if (candidates.length === 0 || path === undefined) return;
  const selected = {
    holding: `(${path.whole} OR (${path.first} AND ${REFERS}))`,
    referred: `(position(captured, {valueName:String}) > 0 OR ${REFERS})`,
  }[which];
  let last: z.output<typeof PlacedStep> | undefined;
  do {
    const page: readonly z.output<typeof PlacedStep>[] = await store.rowsBeside(
      PlacedStep,
      `SELECT project_id, toString(trace_time_ms) AS time_ms, toString(trace) AS owner, ordinal, step_id, name, captured FROM steps
       WHERE project_id IN {projects:Array(UUID)} AND trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)} AND ${selected}
         ${last === undefined ? '' : 'AND (project_id, trace_time_ms, trace, ordinal) > ({afterProject:UUID}, {afterTime:UInt64}, {afterTrace:UUID}, {afterOrdinal:UInt32})'}
       ORDER BY project_id, trace_time_ms, trace, ordinal LIMIT ${STEPS_AT_ONCE}`,
      {
        ...params,
        ...listIds(candidates),
        ...(last && {
          afterProject: last.project_id,
          afterTime: last.time_ms,
          afterTrace: last.owner,
          afterOrdinal: last.ordinal,
        }),
      },
    );
    yield page;
    last = page.length < STEPS_AT_ONCE ? undefined : page.at(-1);
  } while (last !== undefined);
}

/**
 * Yields, page by page, the spans that match the tests in the distributed traces of the candidates. A span can belong to another request of
 * the same distributed trace. A span that was sent twice is yielded once.
 */
export async function* findSpans(
  store: Pick<TraceStore, 'rowsBeside'>,
  candidates: readonly Candidate[],
  { step, path, params }: Pick<ValueTests, 'step' | 'path' | 'params'>,
  { values }: { readonly values: boolean },
): AsyncGenerator<readonly SpanRow[]> {
  if (candidates.length === 0) return;
  const limit = values ? SPANS_AT_ONCE.values : SPANS_AT_ONCE.ids;
  let last: SpanRow | undefined;
  do {
    const page: readonly SpanRow[] = await store.rowsBeside(
      SpanRow,
      `SELECT project_id, trace_id AS owner, span_id AS step_id, name${values ? ', captured' : ''} FROM spans
       WHERE project_id IN {projects:Array(UUID)} AND trace_id IN {traceIds:Array(String)} AND ${step} AND ${path?.whole ?? 'true'}
         ${last === undefined ? '' : 'AND (project_id, trace_id, span_id) > ({afterProject:UUID}, {afterTrace:String}, {afterSpan:String})'}
       ORDER BY project_id, trace_id, span_id LIMIT 1 BY project_id, trace_id, span_id LIMIT ${limit}`,
      {
        ...params,
        projects: listProjects(candidates),
        traceIds: [...new Set(candidates.map(({ trace_id }) => trace_id))],
        ...(last && { afterProject: last.project_id, afterTrace: last.owner, afterSpan: last.step_id }),
      },
    );
    yield page;
    last = page.length < limit ? undefined : page.at(-1);
  } while (last !== undefined);
}

const TraceSize = z.object({ project_id: z.string(), trace_id: z.string(), rows: z.coerce.number() });

/** Counts the stored spans of the candidates' distributed traces, by {@link buildTraceKey}. */
export async function countTraceSpans(
  store: Pick<TraceStore, 'rowsBeside'>,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, number>> {
  if (candidates.length === 0) return new Map();
  const sizes = await store.rowsBeside(
    TraceSize,
    `SELECT project_id, trace_id, count() AS rows FROM spans
     WHERE project_id IN {projects:Array(UUID)} AND trace_id IN {traceIds:Array(String)} GROUP BY project_id, trace_id`,
    {
      projects: listProjects(candidates),
      traceIds: [...new Set(candidates.map(({ trace_id }) => trace_id))],
    },
  );
  return new Map(sizes.map((size) => [buildTraceKey(size), size.rows]));
}

export function buildTraceKey({ project_id, trace_id }: Pick<Candidate, 'project_id' | 'trace_id'>): string {
  return `${project_id} ${trace_id}`;
}

function listIds(candidates: readonly Candidate[]): QueryParams {
  return {
    projects: listProjects(candidates),
    times: [...new Set(candidates.map(({ time_ms }) => Number(time_ms)))],
    ids: candidates.map(({ id }) => id),
  };
}

function listProjects(candidates: readonly Candidate[]): readonly string[] {
  return [...new Set(candidates.map(({ project_id }) => project_id))];
}
