import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Reading, type Shown, splitRange } from './split-store.ts';
import { REQUEST_STATES, SESSION_PAUSE_MICROS, USER_STATES } from './states-store.ts';
import { STEP_KEYS, STEP_VALUES, stepFiguresOf } from './step-figures-store.ts';

/** What figures may be told apart by. */
const DIMENSIONS = {
  part: 'toString(k_part)',
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
  /** When the part of the range began, epoch µs. */
  part: z.string().transform(BigInt).optional(),
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

/** Where figures are read, and from how many traces on rollups are worth it. */
export interface Source {
  readonly store: TraceStore;
  readonly few: number;
}

/** A trace that two servers stored at the same moment is counted once: both are in one partition, the day of storing. */
const FOLDED = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

/** Figures of a project's requests over a range, what is expired left out. Nothing in it is estimated but the quantiles. */
export async function findRequestFigures(
  { store, few }: Source,
  project: Shown,
  reading: Reading,
  by: readonly Dimension[],
): Promise<RequestFigures[]> {
  const split = await splitRange(store, project, reading, { few });
  if (split === undefined) return [];
  const { keys, values } = REQUEST_STATES;
  const figures = [
    ...by.map((dimension) => `${DIMENSIONS[dimension]} AS ${dimension}_`),
    ...values.map(({ column, merged }) => `${merged} AS ${column}_`),
  ].join(', ');
  // Only what is asked for: a trace's endpoint is not had for nothing.
  const asked = Object.entries(keys).filter(([name]) =>
    by.some((dimension) => DIMENSIONS[dimension].includes(`k_${name}`)),
  );
  const keyNames = ['hour', 'k_part', ...asked.map(([name]) => `k_${name}`)];
  const grouped = by.includes('hour') ? keyNames : keyNames.slice(1);
  const hour = by.includes('hour') ? 'toStartOfHour(start_time)' : "toDateTime(0, 'UTC')";
  const counted = [...asked.map(([name, sql]) => `${sql} AS k_${name}`), ofTraces(values)].join(', ');
  const rolledUp = [...asked.map(([name]) => `${name} AS k_${name}`), columnsOf(values)].join(', ');
  const groups =
    by.length === 0
      ? 'HAVING requests_ > 0'
      : `GROUP BY ${by.map((dimension) => `${dimension}_`).join(', ')}`;
  const ofRollups =
    split.rolledUp === undefined
      ? ''
      : `SELECT hour, ${split.part.rolledUp} AS k_part, ${rolledUp} FROM request_rollups WHERE ${split.rolledUp} UNION ALL`;
  const rows = await store.rows(
    z.record(z.string(), z.unknown()),
    `SELECT ${figures} FROM (
       ${ofRollups}
       SELECT ${hour} AS hour, ${split.part.traces} AS k_part, ${counted}
       FROM traces FINAL WHERE ${split.traces} GROUP BY ${grouped.join(', ')})
     ${groups} ${FOLDED}`,
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
  /** From each session's first start to its last. */
  session_micros: z.coerce.number(),
  /** Epoch µs. */
  last_start: z.string().transform(BigInt),
});
/** `user_id` is empty for requests of whom nobody knows. */
export type UserFigures = z.output<typeof UserFigures>;

/** What all users' figures come to; those of whom nobody knows are not in it, but for their requests. */
const UserTotals = z.object({
  users: z.coerce.number(),
  requests: z.coerce.number(),
  unknown_requests: z.coerce.number(),
  sessions: z.coerce.number(),
  session_micros: z.coerce.number(),
});
export type UserTotals = z.output<typeof UserTotals>;

const UserPart = z.object({
  part: z.string().transform(BigInt),
  users: z.coerce.number(),
  sessions: z.coerce.number(),
});
/** Users who were there in a part of a range, and sessions that began in it. */
export type UserPart = z.output<typeof UserPart>;

/** Where an hour begins half an hour or more after the last request of the hour with activity before, a session begins too. */
const GAPS = `arrayFilter(gap -> gap >= ${SESSION_PAUSE_MICROS},
  arrayMap((this, before) -> this.1 - before.2, arrayPopFront(hours_), arrayPopBack(hours_)))`;
const HOURS = `arraySort(groupArray((toUnixTimestamp64Micro(first_start), toUnixTimestamp64Micro(last_start), pauses)))`;

/** Figures of each user of a project over a range, the busiest first. */
export async function findUserFigures(
  source: Source,
  project: Shown,
  reading: Reading,
  limit: number,
): Promise<UserFigures[]> {
  const users = await usersOf(source, project, reading);
  if (users === undefined) return [];
  const rows = await source.store.rows(
    z.record(z.string(), z.unknown()),
    `${users.sql} ORDER BY requests_ DESC, user_id_ LIMIT {limit:UInt32} ${FOLDED}`,
    { ...users.params, limit },
  );
  return rows.map((row) => UserFigures.parse(withoutUnderscores(row)));
}

/** What the figures of all known users come to. */
export async function findUserTotals(
  source: Source,
  project: Shown,
  reading: Reading,
): Promise<UserTotals | undefined> {
  const users = await usersOf(source, project, reading);
  if (users === undefined) return undefined;
  const known = "user_id_ != ''";
  const [row] = await source.store.rows(
    UserTotals,
    `SELECT countIf(${known}) AS users, sumIf(requests_, ${known}) AS requests, sumIf(requests_, NOT (${known})) AS unknown_requests,
       sumIf(sessions_, ${known}) AS sessions, sumIf(session_micros_, ${known}) AS session_micros FROM (${users.sql}) ${FOLDED}`,
    users.params,
  );
  return row;
}

/** The parts of a range in which known users were there. */
export async function findUserParts(
  source: Source,
  project: Shown,
  reading: Reading & Required<Pick<Reading, 'parts'>>,
): Promise<UserPart[]> {
  const hours = await userHours(source, project, reading);
  if (hours === undefined) return [];
  return source.store.rows(
    UserPart,
    `SELECT toString(roundDown(one.1, {parts:Array(Int64)})) AS part, uniqExact(k_user) AS users, sum(one.3 + begun) AS sessions FROM (
       SELECT k_user, ${HOURS} AS hours_,
         arrayMap(at -> if(at = 1, 1, hours_[at].1 - hours_[at - 1].2 >= ${SESSION_PAUSE_MICROS}), arrayEnumerate(hours_)) AS begins_
       FROM (${hours.sql}) WHERE k_user != '' GROUP BY k_user)
     ARRAY JOIN hours_ AS one, begins_ AS begun GROUP BY part ${FOLDED}`,
    hours.params,
  );
}

async function usersOf(source: Source, project: Shown, reading: Reading) {
  const hours = await userHours(source, project, reading);
  if (hours === undefined) return undefined;
  return {
    params: hours.params,
    sql: `SELECT k_user AS user_id_, sum(requests) AS requests_, sum(errors) AS errors_, sum(duration_micros_sum) AS duration_micros_sum_,
       ${HOURS} AS hours_, ${GAPS} AS gaps_, 1 + sum(pauses) + length(gaps_) AS sessions_,
       hours_[-1].2 - hours_[1].1 - arraySum(gaps_) - sum(paused_micros) AS session_micros_, toString(hours_[-1].2) AS last_start_
     FROM (${hours.sql}) GROUP BY k_user`,
  };
}

/** Rows of a user and an hour, or a part of one. */
async function userHours({ store, few }: Source, project: Shown, reading: Reading) {
  const split = await splitRange(store, project, reading, { few, unfiltered: true });
  if (split === undefined) return undefined;
  const { values } = USER_STATES;
  // Traces alone need not be told apart by the hour, but by the part.
  const hour = split.rolledUp === undefined ? '' : 'toStartOfHour(start_time) AS hour,';
  const ofRollups =
    split.rolledUp === undefined
      ? ''
      : `SELECT user_id AS k_user, ${columnsOf(values)} FROM user_rollups WHERE ${split.rolledUp} UNION ALL`;
  return {
    params: split.params,
    sql: `${ofRollups}
       SELECT k_user, ${columnsOf(values)} FROM (
         SELECT user_id AS k_user, ${hour} ${split.part.traces} AS k_part, ${ofTraces(values)}
         FROM traces FINAL WHERE ${split.traces} GROUP BY k_user, ${hour === '' ? '' : 'hour, '}k_part)`,
  };
}

const StepFigures = z.object({
  service: z.string(),
  name: z.string(),
  type: z.string(),
  /** What the step asks; empty for other steps. */
  dependency: z.string(),
  /** A step that stands for many calls counts as many. */
  executions: z.coerce.number(),
  errors: z.coerce.number(),
  duration_micros_sum: z.coerce.number(),
});
export type StepFigures = z.output<typeof StepFigures>;
export type StepDimension = Exclude<(typeof STEP_KEYS)[number], 'environment' | 'release'>;

/** Figures of the steps of a project's requests over a range, the most run first; what they were not asked to be told apart by is empty. */
export async function findStepFigures(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  by: {
    readonly dimensions: readonly StepDimension[];
    readonly limit: number;
    readonly where?: 'dependencies';
  },
): Promise<StepFigures[]> {
  const split = await splitRange(store, project, reading, { few: 0 });
  if (split?.rolledUp === undefined) return [];
  const columns = [...STEP_KEYS, ...STEP_VALUES].join(', ');
  const names = (['service', 'name', 'type', 'dependency'] as const).map((name) =>
    by.dimensions.includes(name) ? `${name} AS ${name}_` : `'' AS ${name}_`,
  );
  const rows = await store.rows(
    z.record(z.string(), z.unknown()),
    `SELECT ${names.join(', ')}, ${STEP_VALUES.map((name) => `sum(${name}) AS ${name}_`).join(', ')} FROM (
       SELECT ${columns} FROM step_rollups WHERE ${split.rolledUp}
       UNION ALL SELECT ${columns} FROM (${stepFiguresOf(split.traces)}))
     ${by.where === undefined ? '' : "WHERE dependency != ''"}
     GROUP BY service_, name_, type_, dependency_ ORDER BY executions_ DESC, name_, type_, service_, dependency_ LIMIT {limit:UInt32}`,
    { ...split.params, limit: by.limit },
  );
  return rows.map((row) => StepFigures.parse(withoutUnderscores(row)));
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
