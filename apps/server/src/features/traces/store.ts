import type { RelatedTrace, TraceRow, TraceSort } from '@throughline/contract';
import { formatInstant, MAX_ROW_TEXT } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import { readColumns, TRACES, type TraceStore } from '../../platform/trace-store/index.ts';
import { findEdgesSince } from '../rollups/index.ts';
import { type Conditions, combineConditions, selectProjects } from './list/conditions.ts';
import type { Cursor } from './list/cursor.ts';
import type { ListQuery } from './list/list-query.ts';
import { buildConditions, type Selection, selectStartsBetween } from './list/selection-store.ts';
import { SUMS, Sums } from './stats/facets-store.ts';
import { PARTS, type PartsRead, selectParts } from './trace-parts-store.ts';

const ROW = readColumns(TRACES, [
  'id',
  'trace_id',
  'project_id',
  'method',
  'path',
  'route',
  'status_code',
  'start_time',
  'duration_micros',
  'has_error',
  'service',
  'environment',
  'release',
  'user_id',
  'session_id',
  'country',
  'instance',
  'step_count',
]);

/**
 * Columns of a trace in a list. Errors are truncated as in {@link shortenRow}, because the length of an error's message and code is not
 * limited.
 */
const LIST_COLUMNS = `${ROW.sql}, substringUTF8(error_message, 1, ${MAX_ROW_TEXT}) AS message, substringUTF8(error_code, 1, ${MAX_ROW_TEXT}) AS code`;

const ListRow = ROW.row.extend({ message: z.string(), code: z.string() });
type ListRow = z.output<typeof ListRow>;

const REST = readColumns(TRACES, [
  'span_id',
  'parent_span_id',
  'service_version',
  'runtime',
  'ip',
  'user_agent',
  'heap_used',
  'cpu_usage',
  'event_loop_delay',
  'dropped_steps',
  'dropped_values',
  'dropped_bytes',
  'url',
  'stored_at',
  'has_spans',
]);

/** Builds the SELECT list for all columns of a trace. The steps are in other tables. */
export function selectWholeTrace(parts: PartsRead): string {
  return `${ROW.sql}, error_message AS message, error_code AS code, ${REST.sql}, ${selectParts(parts)}`;
}

export const WholeRow = z.object({ ...ListRow.shape, ...REST.row.shape, ...PARTS.row.shape }).extend({
  /** Bytes of each captured part of the trace, in the order of `TRACE_PARTS`. Only present if the query left out large parts. */
  part_bytes: z.array(z.coerce.number()).optional(),
});
/** A stored trace without its steps. */
export type StoredTrace = z.output<typeof WholeRow>;

/** True for a request with an error or an error status. */
export function isFailed({ has_error, status_code }: StoredTrace): boolean {
  return has_error || (status_code ?? 0) >= 400;
}

/** A page of rows in order, the cursor of the next page if there is one, and the total number of rows. */
export interface Page {
  readonly rows: readonly TraceRow[];
  readonly next: Cursor | undefined;
  readonly total: number;
}

/** Finds a page of a list. */
export async function findPage(
  store: TraceStore,
  projects: readonly ShownProject[],
  query: ListQuery,
): Promise<Page> {
  const conditions = await buildConditions(store, projects, query);
  const { found, total } = await (query.sort === 'time' ? findNewest : findHighest)(store, conditions, query);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(toTraceRow),
    next: found.length > query.limit && last !== undefined ? toCursor(last, query.sort) : undefined,
    total,
  };
}

/** Finds the newest of the traces that match the conditions. `matches` is the number of traces that are expected to match. */
export async function findNewestTraces(
  store: TraceStore,
  conditions: Conditions,
  { limit, matches }: { readonly limit: number; readonly matches: number },
): Promise<TraceRow[]> {
  const rows = await findRows(store, conditions, 'time', limit, chooseSorting(matches));
  return rows.map(toTraceRow);
}

/** The rows of a page and one more row, and the total number of traces in the list. */
interface Found {
  readonly found: readonly ListRow[];
  readonly total: number;
}

/** Finds the traces with the longest durations or the most steps. */
async function findHighest(
  store: TraceStore,
  conditions: Selection,
  { sort, limit, after }: ListQuery,
): Promise<Found> {
  const [total, found] = await Promise.all([
    countTraces(store, conditions),
    findRows(store, combineConditions(conditions, selectAfterCursor(after)), sort, limit + 1),
  ]);
  return { found, total };
}

/** If at most this many traces match, ClickHouse sorts all of them, because reading in the table's sort order would cost more. */
const FEW = 10_000;
const chooseSorting = (matches: number) => (matches <= FEW ? ' SETTINGS optimize_read_in_order = 0' : '');

/**
 * Finds the newest traces. First counts traces by hour, to find out how far back the page goes. Without a limit on the start time,
 * ClickHouse would open each day's part of the table for its newest rows, which takes four times as long.
 */
async function findNewest(
  store: TraceStore,
  conditions: Selection,
  { limit, after }: ListQuery,
): Promise<Found> {
  const hours = await countHours(store, conditions.counted);
  const total = hours.reduce((sum, { traces }) => sum + traces, 0);
  if (total === 0) return { found: [], total };
  const wanted = limit + 1;
  const place = selectAfterCursor(after);
  const start = startOfPage(hours, after, wanted);
  const bounded = await findRows(
    store,
    [conditions, place, startsOfPage(start?.since)].reduce(combineConditions),
    'time',
    wanted,
    chooseSorting(start?.traces ?? Number.POSITIVE_INFINITY),
  );
  // Rows that were just counted can have been deleted since.
  if (start === undefined || bounded.length === wanted) return { found: bounded, total };
  return { found: await findRows(store, combineConditions(conditions, place), 'time', wanted), total };
}

/** The column by which each sort orders traces first. Traces with equal values are ordered by start time. */
const RANKS = { duration: 'duration_micros', steps: 'step_count' } as const;

/** The ORDER BY of each sort. */
export const ORDER: Readonly<Record<TraceSort, string>> = {
  time: 'start_time DESC, id DESC',
  duration: `${RANKS.duration} DESC, start_time DESC, id DESC`,
  steps: `${RANKS.steps} DESC, start_time DESC, id DESC`,
};

async function findRows(
  store: TraceStore,
  { sql, params }: Conditions,
  sort: TraceSort,
  wanted: number,
  settings = '',
): Promise<ListRow[]> {
  return store.rows(
    ListRow,
    `SELECT ${LIST_COLUMNS} FROM traces WHERE ${sql.join(' AND ')} ORDER BY ${ORDER[sort]} LIMIT {limit:UInt32}${settings}`,
    { ...params, limit: wanted },
  );
}

const HOUR_MICROS = 3_600_000_000n;
const HourCount = z.object({ epoch_hour: z.coerce.bigint(), traces: z.coerce.number() });
type HourCount = z.output<typeof HourCount>;

/** Counts the traces by the hour of their start, newest first. Hours without traces are absent. */
async function countHours(
  store: TraceStore,
  { table, sql, params }: Selection['counted'],
): Promise<HourCount[]> {
  return store.rows(
    HourCount,
    `SELECT intDiv(toUnixTimestamp64Micro(start_time), ${HOUR_MICROS}) AS epoch_hour, count() AS traces
     FROM ${table} WHERE ${sql.join(' AND ')} GROUP BY epoch_hour ORDER BY epoch_hour DESC`,
    params,
  );
}

async function countTraces(store: TraceStore, { sql, params }: Conditions): Promise<number> {
  const [row] = await store.rows(
    z.object({ traces: z.coerce.number() }),
    `SELECT count() AS traces FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return row?.traces ?? 0;
}

/**
 * Finds the latest hour such that at least `wanted` traces of the page started between the start of this hour and the cursor. Returns the
 * start of the hour (epoch microseconds) and the number of these traces; undefined if there are fewer traces. The hour of the cursor is not
 * counted.
 */
function startOfPage(
  hours: readonly HourCount[],
  after: Cursor | undefined,
  wanted: number,
): { readonly since: bigint; readonly traces: number } | undefined {
  let traces = 0;
  for (const hour of hours) {
    // Some traces in the hour of the cursor are on the previous page.
    if (after !== undefined && hour.epoch_hour * HOUR_MICROS > after.startMicros - HOUR_MICROS) continue;
    traces += hour.traces;
    if (traces >= wanted) return { since: hour.epoch_hour * HOUR_MICROS, traces };
  }
  return undefined;
}

/** Restricts a page to requests that start at or after `since`, so that callers of earlier requests are not looked up. */
function startsOfPage(since: bigint | undefined): Conditions {
  const { sql, params } = selectStartsBetween(since, undefined, 'page');
  return { sql, params: { ...params, ...(since !== undefined && findEdgesSince(since)) } };
}

export function selectAfterCursor(place: Cursor | undefined): Conditions {
  if (place === undefined) return { sql: [], params: {} };
  const start = 'fromUnixTimestamp64Micro({afterStart:Int64})';
  return {
    sql:
      place.sort === 'time'
        ? [`start_time <= ${start}`, `(start_time, id) < (${start}, {afterId:UUID})`]
        : [`(${RANKS[place.sort]}, start_time, id) < ({afterRank:UInt64}, ${start}, {afterId:UUID})`],
    params: {
      afterStart: String(place.startMicros),
      afterId: place.id,
      ...(place.sort === 'time' ? {} : { afterRank: String(place.rank) }),
    },
  };
}

export function toCursor(row: ListRow, sort: TraceSort): Cursor {
  const rank = BigInt(sort === 'steps' ? row.step_count : row.duration_micros);
  return { sort, startMicros: row.start_micros, rank, id: row.id };
}

export function toTraceRow(row: ListRow): TraceRow {
  return {
    _id: row.id,
    traceId: row.trace_id,
    projectId: row.project_id,
    request: { method: row.method, path: row.path, route: row.route || null },
    response: { statusCode: row.status_code || null },
    timing: { startTime: formatInstant(row.start_micros), duration: row.duration_micros / 1000 },
    error: {
      hasError: row.has_error,
      errorMessage: row.message || null,
      errorCode: row.code || null,
    },
    service: row.service,
    environment: row.environment,
    release: row.release,
    userId: row.user_id || null,
    sessionId: row.session_id || null,
    country: row.country || null,
    instance: row.instance,
    stepCount: row.step_count,
  };
}

/** Maximum number of requests shown per distributed trace. */
const MAX_RELATED = 10_000;

/** Finds the requests of a distributed trace, in start order, at most `MAX_RELATED`. */
export async function findRelated(
  store: TraceStore,
  projects: readonly ShownProject[],
  traceId: string,
): Promise<RelatedTrace[]> {
  if (projects.length === 0) return [];
  const { sql, params } = selectProjects(projects);
  const rows = await store.rows(
    ListRow.extend({ span_id: z.string(), parent_span_id: z.string() }),
    `SELECT ${LIST_COLUMNS}, span_id, parent_span_id FROM traces
     WHERE ${sql.join(' AND ')} AND trace_id = {traceId:String}
     ORDER BY start_time, id LIMIT {limit:UInt32}`,
    { ...params, traceId, limit: MAX_RELATED },
  );
  return rows.map((row) => ({
    ...toTraceRow(row),
    spanId: row.span_id || null,
    parentSpanId: row.parent_span_id || null,
  }));
}

const Totals = Sums.extend({ project_id: z.string() });
export type Totals = z.output<typeof Totals>;

/** Sums the traces by project. Projects without traces are absent. */
export async function findTotals(store: TraceStore, projects: readonly ShownProject[]): Promise<Totals[]> {
  if (projects.length === 0) return [];
  const { sql, params } = selectProjects(projects);
  return store.rows(
    Totals,
    `SELECT project_id, ${SUMS} FROM traces WHERE ${sql.join(' AND ')} GROUP BY project_id`,
    params,
  );
}
