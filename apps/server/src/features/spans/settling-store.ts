import { z } from 'zod';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { type TraceColumn, type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { formatLiterals, matchTraces, type TraceKey } from './store.ts';

export interface TraceSize {
  readonly rows: number;
  /** Number of distinct spans among the rows. */
  readonly spans: number;
}

export interface StoredSize extends TraceSize {
  readonly metadataBytes: number;
}

const SizeRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  size: z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number()]),
});

/** Returns trace sizes by {@link formatKey}; traces without spans are absent. `keys` can have at most {@link MAX_IDS} entries. */
export async function findSizes(
  store: Pick<TraceStore, 'rowsForWriter'>,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, StoredSize>> {
  const rows = await store.rowsForWriter(
    SizeRow,
    `SELECT project_id, trace_id, [count(), uniqExact(span_id), sum(length(metadata))] AS size
     FROM spans WHERE ${matchTraces(keys)} GROUP BY project_id, trace_id SETTINGS optimize_aggregation_in_order = 1`,
  );
  return new Map(
    rows.map(({ project_id, trace_id, size: [count, spans, metadataBytes] }) => [
      `${project_id} ${trace_id}`,
      { rows: count, spans, metadataBytes },
    ]),
  );
}

export interface RecentTrace {
  readonly key: TraceKey;
  readonly size: TraceSize;
  /** Remaining work: none (settled), correct the rows (wrong), or make a request (open). */
  readonly state: 'settled' | 'wrong' | 'open';
}

const RecentRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  rows: z.coerce.number(),
  spans: z.coerce.number(),
  state: z.enum(['settled', 'wrong', 'open']),
});

/**
 * Finds traces with spans that were stored in the last `minutes` before the newest span. Returns only traces that still need work (`open`
 * or `wrong`), and settled traces with more than `manySpans` rows.
 */
export async function findRecent(
  store: TraceStore,
  given: {
    readonly minutes: number;
    readonly limit: number;
    readonly searchedSpans: number;
    readonly manySpans: number;
  },
): Promise<RecentTrace[]> {
  const recent = `SELECT DISTINCT project_id, trace_id FROM spans
    WHERE /* housekeeping */ stored_at >= (SELECT max(stored_at) FROM spans) - toIntervalMinute({minutes:UInt32}) LIMIT {limit:UInt32}`;
  const rows = await store.rowsBeside(
    RecentRow,
    `SELECT project_id, trace_id, rows, spans,
       multiIf(requests = 0, 'open', steps != spans - entries OR (unknown > 0 AND spans <= {searchedSpans:UInt32}), 'wrong', 'settled') AS state
     FROM (SELECT project_id, trace_id, count() AS rows, uniqExact(span_id) AS spans, uniqExactIf(span_id, entry) AS entries
       FROM spans WHERE /* housekeeping */ (project_id, trace_id) IN (${recent}) GROUP BY project_id, trace_id) AS stored
     LEFT JOIN (SELECT project_id, trace_id, count() AS requests, sum(step_count) AS steps, countIf(NOT attributes_whole OR step_kinds = '') AS unknown
       FROM traces WHERE /* housekeeping */ has_spans AND (project_id, trace_id) IN (${recent}) GROUP BY project_id, trace_id) AS counted
     USING (project_id, trace_id)
     WHERE state != 'settled' OR rows > {manySpans:UInt32}`,
    given,
  );
  return rows.flatMap(({ project_id, trace_id: traceId, rows: count, spans, state }) => {
    const projectId = readId<ProjectId>(project_id);
    return projectId === undefined
      ? []
      : [{ key: { projectId, traceId }, size: { rows: count, spans }, state }];
  });
}

/** A span that becomes a request. */
export interface PromotedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly id: string;
  readonly stepCount: number;
}

/** Maximum number of spans per statement: for each span, the statement contains four strings of up to 90 characters. */
export const MAX_PROMOTED = 400;

/**
 * Turns spans of a project into requests, under the reservation that counted them. The rows in traces are inserted last, because they
 * make the requests visible; an interrupted run can therefore be repeated.
 */
export async function promoteSpans(
  store: TraceStore,
  projectId: ProjectId,
  spans: readonly PromotedSpan[],
  reservation: string,
): Promise<void> {
  const params = { project: projectId };
  const pairs = spans
    .map(({ traceId, spanId }) => `(${formatLiterals([traceId])},${formatLiterals([spanId])})`)
    .join(',');
  await store.command(
    `INSERT INTO spans SELECT * REPLACE (true AS entry, now64(6) AS stored_at) FROM spans
     WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs}) ORDER BY trace_id, span_id, stored_at LIMIT 1 BY trace_id, span_id`,
    params,
  );
  const names = formatLiterals(spans.map(({ traceId, spanId }) => traceId + spanId));
  const byName = (values: readonly string[], other: string) =>
    `transform(concat(trace_id, span_id), [${names}], [${values.join(',')}], ${other})`;
  const ids = spans.map(({ id }) => `'${formatId(id)}'`);
  const times = spans.map(({ id }) => timeOfTraceId(id));
  const counts = spans.map(({ stepCount }) => String(Math.trunc(stepCount)));
  const row: Partial<Record<TraceColumn, string>> = {
    project_id: 'project_id',
    start_time: 'fromUnixTimestamp64Micro(toInt64(intDiv(start_nanos, 1000)))',
    id: `toUUID(${byName(ids, NO_ID)}) AS request_id`,
    id_time_ms: `toUInt64(${byName(times.map(String), '0')})`,
    trace_id: 'trace_id',
    span_id: 'span_id',
    parent_span_id: 'parent_span_id',
    method: "'SPAN'",
    path: 'name',
    status_code: 'status_code',
    duration_micros: 'intDiv(duration_nanos, 1000)',
    is_error: 'has_error OR status_code = 0 OR status_code >= 400',
    has_error: 'has_error',
    error_message: "JSONExtractString(error, 'message')",
    service: 'service',
    step_count: `toUInt32(${byName(counts, '0')})`,
    attributes: 'metadata',
    has_spans: 'true',
    claim: '{reservation:UUID}',
    stored_at: 'now64(6)',
  };
  await store.command(
    `INSERT INTO traces (${Object.keys(row).join(', ')})
     SELECT ${Object.values(row).join(', ')}
     FROM spans WHERE project_id = {project:UUID} AND (trace_id, span_id) IN (${pairs})
       AND NOT has((SELECT groupArray(id) FROM traces WHERE project_id = {project:UUID}
         AND id_time_ms BETWEEN ${Math.min(...times)} AND ${Math.max(...times)} AND id IN (${ids.join(',')})), request_id)
     ORDER BY trace_id, span_id, stored_at LIMIT 1 BY trace_id, span_id`,
    { ...params, reservation },
  );
}

/**
 * The id for spans that do not become requests. ClickHouse can evaluate the SELECT's expressions for spans that the WHERE clause excludes,
 * and `transform` needs a valid UUID for them.
 */
const NO_ID = `'00000000-0000-0000-0000-000000000000'`;

function formatId(id: string): string {
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error(`${JSON.stringify(id)} must not go into a statement`);
  return id;
}
