import { z } from 'zod';
import type { VisibleProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { type Hour, type HourRange, hourOfMicros, microsOfHour, secondsOfHour } from './hours.ts';

/** Epoch µs; the end is exclusive. */
export interface Range {
  readonly from: bigint;
  readonly until: bigint;
}

/** The requests to read: filters, and the parts of the range. */
export interface Reading extends Range {
  readonly service?: string | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  /** Starts of the parts in epoch µs, in order; the dimension `part` groups by them. */
  readonly parts?: readonly bigint[];
}

export type Shown = Pick<VisibleProject, 'id' | 'shownSince'>;

/** A range split between rollups and traces: whole unchanged hours come from rollups, all others from traces. */
export interface Split {
  readonly params: QueryParams;
  /** The WHERE clause for a table of rollups; undefined if everything is read from traces. */
  readonly rolledUp: string | undefined;
  /** The WHERE clause for traces. */
  readonly traces: string;
  /** SQL for the part of the range that contains a row of rollups, or a trace; 0 without parts. */
  readonly part: { readonly rolledUp: string; readonly traces: string };
}

/**
 * Up to this many traces, stats are computed from the traces. Half a million take less time than their rollups, whose states merge slowly (60 ms
 * against 400 ms over 30 days).
 */
export const FEW_TRACES = 3_000_000;

/** In this form, unlike with `has`, ClickHouse finds the hours by the table's order. */
export const FROM_TRACES = "arrayMap(second -> toDateTime(second, 'UTC'), {fromTraces:Array(UInt32)})";

const FILTERS = ['service', 'environment', 'release'] as const;

/** Builds SQL of the filters that are set, each after an AND; an empty value is not a filter. */
function buildFilters(reading: Reading): { readonly sql: string; readonly params: QueryParams } {
  const set = FILTERS.flatMap((name) => {
    const value = reading[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return {
    sql: set.map(([name]) => ` AND ${name} = {${name}:String}`).join(''),
    params: Object.fromEntries(set),
  };
}

/** Returns the visible part of a reading: its start in epoch µs, and the condition on its requests, by columns that traces and caller rows share. */
export function buildShown(project: Shown, reading: Reading) {
  const { until } = reading;
  let { from } = reading;
  if (from < project.shownSince) from = project.shownSince;
  const filters = buildFilters(reading);
  return {
    from,
    filters,
    sql: `start_time >= fromUnixTimestamp64Micro({from:Int64}) AND start_time < fromUnixTimestamp64Micro({until:Int64})${filters.sql}`,
    params: { project: project.id, from: String(from), until: String(until), ...filters.params },
  };
}

/** Returns undefined if nothing of the range is visible. */
export async function splitRange(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  tables: {
    /** True to read the traces instead of their rollups. */
    readonly fromTraces: boolean;
    /** Set for rollups without service, environment and release. */
    readonly unfiltered?: true;
  },
): Promise<Split | undefined> {
  const { until, parts = [] } = reading;
  const { from, filters, sql, params } = buildShown(project, reading);
  if (until <= from) return undefined;
  const range = { ...params, parts: parts.map(Number) };
  const within = `project_id = {project:UUID} AND ${sql}`;
  const part = buildPartSql(parts);
  if (tables.fromTraces || (tables.unfiltered === true && filters.sql !== '')) {
    return { params: range, rolledUp: undefined, traces: within, part };
  }
  const [first, end] = [hourOfMicros(from), hourOfMicros(until)];
  // Read before the rollups: an hour that changes from here on is answered with its old rollup.
  const fromTraces = new Set(await findMarked(store, [project.id], { first, last: end }));
  if (microsOfHour(first) !== from) fromTraces.add(first);
  if (microsOfHour(end) !== until) fromTraces.add(end);
  // An hour can belong to two parts, as in time zones with an offset of half an hour.
  for (const start of parts) {
    const hour = hourOfMicros(start);
    if (microsOfHour(hour) !== start && hour >= first && hour <= end) fromTraces.add(hour);
  }
  return {
    params: {
      ...range,
      firstHour: secondsOfHour(first),
      endHour: secondsOfHour(end),
      fromTraces: [...fromTraces].map(secondsOfHour),
    },
    rolledUp: `project_id = {project:UUID} AND hour >= fromUnixTimestamp({firstHour:UInt32}) AND hour < fromUnixTimestamp({endHour:UInt32})
      AND hour NOT IN ${FROM_TRACES}${filters.sql}
      AND (hour, built) IN (SELECT hour, max(built) FROM rollup_hours WHERE project_id = {project:UUID} GROUP BY hour)`,
    traces: `${within} AND toStartOfHour(start_time) IN ${FROM_TRACES}`,
    part,
  };
}

function buildPartSql(parts: readonly bigint[]): Split['part'] {
  if (parts.length === 0) return { rolledUp: 'toInt64(0)', traces: 'toInt64(0)' };
  const down = (micros: string) => `roundDown(${micros}, {parts:Array(Int64)})`;
  return {
    rolledUp: down('toInt64(toUInt32(hour)) * 1000000'),
    traces: down('toUnixTimestamp64Micro(start_time)'),
  };
}

/** Finds the hours in which traces of one of the projects can have changed since they were rolled up. */
export async function findMarked(
  store: TraceStore,
  projects: readonly string[],
  { first, last }: HourRange,
): Promise<readonly Hour[]> {
  const rows = await store.rows(
    z.object({ hour_: z.number() }),
    `SELECT DISTINCT toUInt32(intDiv(toUInt32(hour), 3600)) AS hour_ FROM rollup_marks
     WHERE project_id IN {projects:Array(UUID)} AND hour >= fromUnixTimestamp({first:UInt32}) AND hour <= fromUnixTimestamp({last:UInt32})`,
    { projects, first: secondsOfHour(first), last: secondsOfHour(last) },
  );
  return rows.map(({ hour_ }) => hour_);
}

/**
 * Returns a text that stays the same until a trace that started in the range is stored, corrected or deleted; undefined while something can be
 * changing.
 */
export async function findState(
  store: TraceStore,
  project: string,
  range: Range,
): Promise<string | undefined> {
  const [first, last] = [hourOfMicros(range.from), hourOfMicros(range.until - 1n)];
  const [marked, [row]] = await Promise.all([
    findMarked(store, [project], { first, last }),
    store.rows(
      z.object({ state: z.string() }),
      `SELECT concat(toString(count()), ' ', toString(groupBitXor(cityHash64(hour, built)))) AS state FROM rollup_hours
       WHERE project_id = {project:UUID} AND hour >= fromUnixTimestamp({first:UInt32}) AND hour <= fromUnixTimestamp({last:UInt32})
         AND (hour, built) IN (SELECT hour, max(built) FROM rollup_hours WHERE project_id = {project:UUID} GROUP BY hour)`,
      { project, first: secondsOfHour(first), last: secondsOfHour(last) },
    ),
  ]);
  return marked.length > 0 ? undefined : row?.state;
}
