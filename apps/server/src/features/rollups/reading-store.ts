import { z } from 'zod';
import type { VisibleProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { type Hour, hourOfMicros, microsOfHour, secondsOfHour } from './hours.ts';
import { REQUEST_STATES, SESSION_PAUSE_MICROS, USER_STATES } from './states.ts';

/** Epoch µs; the end is not included. */
export interface Range {
  readonly from: bigint;
  readonly until: bigint;
}

/** What figures may be told apart by. */
const DIMENSIONS = {
  hour: 'toUInt32(intDiv(toUInt32(hour), 3600))',
  method: 'toString(k_method)',
  endpoint: 'toString(k_endpoint)',
  statusClass: 'k_status_class',
  service: 'toString(k_service)',
  environment: 'toString(k_environment)',
  release: 'toString(k_release)',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

const RequestFigures = z.object({
  /** Since 1970, UTC. */
  hour: z.number().optional(),
  method: z.string().optional(),
  endpoint: z.string().optional(),
  /** 2 for 200 to 299; 0: the request got no answer. */
  statusClass: z.number().optional(),
  service: z.string().optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  requests: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
  duration_micros_max: z.coerce.number(),
  /** Microseconds at 50, 95 and 99 percent, each within half a percent of its value. */
  durations: z.tuple([z.number(), z.number(), z.number()]),
  steps_sum: z.coerce.number(),
  steps_max: z.coerce.number(),
  heap_used_sum: z.number(),
  heap_used_count: z.coerce.number(),
  cpu_usage_sum: z.number(),
  cpu_usage_count: z.coerce.number(),
  event_loop_delay_sum: z.number(),
  event_loop_delay_count: z.coerce.number(),
});
/** Of the requests that are alike in the dimensions that were asked for; only those have a member. */
export type RequestFigures = z.output<typeof RequestFigures>;

/** A range as rollups and traces answer it together: whole hours that did not change come from rollups, all others from the traces. */
interface Split {
  readonly params: QueryParams;
  /** The WHERE of a table of rollups. */
  readonly rolledUp: string;
  /** The WHERE of traces. */
  readonly traces: string;
}

/** Figures of a project's requests over a range, what is expired left out. Nothing in it is estimated but the quantiles. */
export async function findRequestFigures(
  store: TraceStore,
  project: Pick<VisibleProject, 'id' | 'shownSince'>,
  range: Range,
  by: readonly Dimension[],
): Promise<RequestFigures[]> {
  const split = await splitRange(store, project, range);
  if (split === undefined) return [];
  const { keys, values } = REQUEST_STATES;
  const figures = [
    ...by.map((dimension) => `${DIMENSIONS[dimension]} AS ${dimension}_`),
    ...values.map(({ column, merged }) => `${merged} AS ${column}_`),
  ].join(', ');
  const names = Object.keys(keys);
  const keyNames = names.map((name) => `k_${name}`).join(', ');
  const rolledUp = [...names.map((name) => `${name} AS k_${name}`), columnsOf(values)].join(', ');
  const counted = [
    ...Object.entries(keys).map(([name, sql]) => `${sql} AS k_${name}`),
    ofTraces(values),
  ].join(', ');
  const groups =
    by.length === 0
      ? 'HAVING requests_ > 0'
      : `GROUP BY ${by.map((dimension) => `${dimension}_`).join(', ')}`;
  const rows = await store.rows(
    z.record(z.string(), z.unknown()),
    `SELECT ${figures} FROM (
       SELECT hour, ${rolledUp} FROM request_rollups WHERE ${split.rolledUp}
       UNION ALL
       SELECT toStartOfHour(start_time) AS hour, ${counted} FROM traces FINAL WHERE ${split.traces} GROUP BY hour, ${keyNames})
     ${groups}`,
    split.params,
  );
  return rows.map((row) => RequestFigures.parse(withoutUnderscores(row)));
}

const UserFigures = z.object({
  user_id: z.string(),
  requests: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
  /** Times of activity with less than half an hour between two requests. */
  sessions: z.coerce.number(),
});
/** `user_id` is empty for requests of whom nobody knows. */
export type UserFigures = z.output<typeof UserFigures>;

/** Figures of each user of a project over a range, the busiest first. */
export async function findUserFigures(
  store: TraceStore,
  project: Pick<VisibleProject, 'id' | 'shownSince'>,
  range: Range,
  limit: number,
): Promise<UserFigures[]> {
  const split = await splitRange(store, project, range);
  if (split === undefined) return [];
  const { values } = USER_STATES;
  // Where an hour begins half an hour or more after the last request of the hour with activity before, a session begins too.
  const rows = await store.rows(
    z.record(z.string(), z.unknown()),
    `SELECT k_user AS user_id_, sum(requests) AS requests_, sum(errors) AS errors_, sum(duration_micros_sum) AS duration_micros_sum_,
       1 + sum(pauses) + arrayCount(
         (this, before) -> this.1 - before.2 >= ${SESSION_PAUSE_MICROS},
         arrayPopFront(arraySort(groupArray((toUnixTimestamp64Micro(first_start), toUnixTimestamp64Micro(last_start)))) AS hours_),
         arrayPopBack(hours_)) AS sessions_
     FROM (
       SELECT user_id AS k_user, ${columnsOf(values)} FROM user_rollups WHERE ${split.rolledUp}
       UNION ALL
       SELECT k_user, ${columnsOf(values)} FROM (
         SELECT user_id AS k_user, toStartOfHour(start_time) AS hour, ${ofTraces(values)}
         FROM traces FINAL WHERE ${split.traces} GROUP BY k_user, hour))
     GROUP BY k_user ORDER BY requests_ DESC, user_id_ LIMIT {limit:UInt32}`,
    { ...split.params, limit },
  );
  return rows.map((row) => UserFigures.parse(withoutUnderscores(row)));
}

function columnsOf(values: readonly { readonly column: string }[]): string {
  return values.map(({ column }) => column).join(', ');
}

function ofTraces(values: readonly { readonly column: string; readonly ofTraces: string }[]): string {
  return values.map(({ column, ofTraces: sql }) => `${sql} AS ${column}`).join(', ');
}

/** Aliases end in an underscore, since one that is a column's name would stand for it in the other expressions. */
function withoutUnderscores(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(/_$/, ''), value]));
}

/** In this form, unlike `has`, the engine finds the hours by the table's order. */
const FROM_TRACES = "arrayMap(second -> toDateTime(second, 'UTC'), {fromTraces:Array(UInt32)})";

async function splitRange(
  store: TraceStore,
  project: Pick<VisibleProject, 'id' | 'shownSince'>,
  range: Range,
): Promise<Split | undefined> {
  const { until } = range;
  let { from } = range;
  if (from < project.shownSince) from = project.shownSince;
  if (until <= from) return undefined;
  const [first, end] = [hourOfMicros(from), hourOfMicros(until)];
  // Read before the rollups: an hour that changes from here on is answered as it was.
  const fromTraces = new Set(await findMarked(store, project.id, first, end));
  if (microsOfHour(first) !== from) fromTraces.add(first);
  if (microsOfHour(end) !== until) fromTraces.add(end);
  return {
    params: {
      project: project.id,
      from: String(from),
      until: String(until),
      firstHour: secondsOfHour(first),
      endHour: secondsOfHour(end),
      fromTraces: [...fromTraces].map(secondsOfHour),
    },
    rolledUp: `project_id = {project:UUID} AND hour >= fromUnixTimestamp({firstHour:UInt32}) AND hour < fromUnixTimestamp({endHour:UInt32})
      AND hour NOT IN ${FROM_TRACES}
      AND (hour, built) IN (SELECT hour, max(built) FROM rollup_hours WHERE project_id = {project:UUID} GROUP BY hour)`,
    traces: `project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64})
      AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND toStartOfHour(start_time) IN ${FROM_TRACES}`,
  };
}

/** Hours from `first` to `last` whose traces may have changed since they were rolled up. */
async function findMarked(
  store: TraceStore,
  project: string,
  first: Hour,
  last: Hour,
): Promise<readonly Hour[]> {
  const rows = await store.rows(
    z.object({ hour_: z.number() }),
    `SELECT DISTINCT toUInt32(intDiv(toUInt32(hour), 3600)) AS hour_ FROM rollup_marks
     WHERE project_id = {project:UUID} AND hour >= fromUnixTimestamp({first:UInt32}) AND hour <= fromUnixTimestamp({last:UInt32})`,
    { project, first: secondsOfHour(first), last: secondsOfHour(last) },
  );
  return rows.map(({ hour_ }) => hour_);
}
