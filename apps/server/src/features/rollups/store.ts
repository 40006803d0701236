import { v4 } from 'uuid';
import { z } from 'zod';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { hashOfUser, type TraceStore, USER_HASH } from '../../platform/trace-store/index.ts';
import { type Hour, hourToSeconds, type ProjectHour } from './hours.ts';
import { FOLDED } from './request-figures-store.ts';
import { selectHours } from './rollup-query-plan-store.ts';
import {
  buildEdgeParams,
  CALLER_COLUMNS,
  hasEdges,
  selectCallees,
  selectCallers,
} from './service-edges-store.ts';
import { REQUEST_STATES, USER_STATES } from './states-store.ts';
import { findStepPlaces, STEP_KEYS, STEP_VALUES, selectSteps } from './steps/step-figures-store.ts';

export async function insertMarks(store: TraceStore, hours: readonly ProjectHour[]): Promise<void> {
  if (hours.length === 0) return;
  const now = (Date.now() / 1000).toFixed(3);
  const rows = hours.map(({ projectId, hour }) => `${projectId}\t${hourToSeconds(hour)}\t${v4()}\t${now}\n`);
  await store.insert('rollup_marks', ['project_id', 'hour', 'mark', 'marked_at'], Buffer.from(rows.join('')));
}

/** Marks all hours in which a project has traces or rollups. */
export async function markAll(store: TraceStore, project: ProjectId): Promise<void> {
  await store.command(
    `INSERT INTO rollup_marks SELECT project_id, hour, generateUUIDv4(), now64(3) FROM (
       SELECT DISTINCT project_id, toStartOfHour(start_time) AS hour FROM traces WHERE project_id = {project:UUID}
       UNION DISTINCT SELECT project_id, hour FROM rollup_hours WHERE project_id = {project:UUID})`,
    { project },
  );
}

/** An hour to rebuild, and the ids of its marks. */
export interface DueHour extends ProjectHour {
  readonly marks: readonly string[];
}

const MarkedHour = z.object({ project_id: z.string(), hour: z.number(), marks: z.array(z.string()) });

/** Finds marked hours whose last mark is older than `quietMs`. Ordered by project, then by hour. */
export async function findDue(store: TraceStore, quietMs: number, limit: number): Promise<DueHour[]> {
  const rows = await store.rows(
    MarkedHour,
    `SELECT project_id, toUInt32(intDiv(toUInt32(hour), 3600)) AS hour, groupArray(mark) AS marks
     FROM rollup_marks GROUP BY project_id, hour
     HAVING max(marked_at) <= fromUnixTimestamp64Milli({until:Int64}) ORDER BY project_id, hour LIMIT {limit:UInt32}`,
    { until: String(Date.now() - quietMs), limit },
  );
  return rows.flatMap(({ project_id, hour, marks }) => {
    const projectId = readId<ProjectId>(project_id);
    return projectId === undefined ? [] : [{ projectId, hour, marks }];
  });
}

/** Maximum number of marks per statement: over HTTP a parameter can have 128 kB in URL encoding, and a mark takes 45 bytes. */
const MAX_MARKS = 2000;

export async function deleteMarks(store: TraceStore, marks: readonly string[]): Promise<void> {
  for (let from = 0; from < marks.length; from += MAX_MARKS) {
    await store.command('DELETE FROM rollup_marks WHERE mark IN {marks:Array(UUID)}', {
      marks: marks.slice(from, from + MAX_MARKS),
    });
  }
}

/** Finds the newest build number among a project's hours; 0 if no hour was built. */
export async function findNewestBuilt(store: TraceStore, project: ProjectId): Promise<bigint> {
  const [row] = await store.rows(
    z.object({ built: z.string().transform(BigInt) }),
    'SELECT toString(max(built)) AS built FROM rollup_hours WHERE project_id = {project:UUID}',
    { project },
  );
  return row?.built ?? 0n;
}

/**
 * Selects start times from `from` up to, but not including, `until`, both in seconds. The times are converted to the column's own type: if
 * compared with whole seconds, ClickHouse would skip parts whose rows are all within the second before `until`.
 */
const startsWithin = `start_time >= fromUnixTimestamp64Micro(toInt64({from:UInt32}) * 1000000)
    AND start_time < fromUnixTimestamp64Micro(toInt64({until:UInt32}) * 1000000)`;

/**
 * Builds the rollups of these hours from their traces, under a new build number. FINAL counts a trace once if two servers stored it at
 * the same time and ClickHouse has not merged the rows yet.
 */
export async function buildHours(
  store: TraceStore,
  project: ProjectId,
  hours: readonly Hour[],
  built: bigint,
): Promise<void> {
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  const params = {
    project,
    built: String(built),
    from: hourToSeconds(first),
    until: hourToSeconds(last + 1),
    hours: hours.map(hourToSeconds),
    ...buildEdgeParams(hours),
  };
  const ofHours = `project_id = {project:UUID}
    AND ${startsWithin}
    AND toStartOfHour(start_time) IN ${selectHours('hours')}`;
  const traces = `traces FINAL WHERE ${ofHours}`;
  const key = 'project_id, toStartOfHour(start_time) AS hour, {built:UInt64}';
  const settings = `${FOLDED}, max_threads = 1, max_insert_threads = 1`;
  await store.commandBeside(
    `INSERT INTO request_rollups (project_id, hour, built, ${REQUEST_STATES.columns})
     SELECT ${key}, ${REQUEST_STATES.select} FROM ${traces} GROUP BY project_id, hour, ${REQUEST_STATES.by} ${settings}`,
    params,
  );
  await store.commandBeside(
    `INSERT INTO user_rollups (project_id, hour, built, ${USER_STATES.columns})
     SELECT ${key}, ${USER_STATES.select} FROM ${traces} GROUP BY project_id, hour, ${USER_STATES.by} ${settings}`,
    params,
  );
  const places = await findStepPlaces(store, ofHours, params);
  if (places !== undefined) {
    const keys = ['hour', ...STEP_KEYS];
    const figures = `SELECT {project:UUID}, k_hour, {built:UInt64}, ${[
      ...STEP_KEYS.map((key) => `k_${key}`),
      ...STEP_VALUES.map((value) => `sum(s_${value})`),
    ].join(', ')} FROM (${selectSteps(ofHours, places, ['hour', 'service', 'environment', 'release'])})`;
    await store.commandBeside(
      `INSERT INTO step_rollups (project_id, hour, built, ${[...STEP_KEYS, ...STEP_VALUES].join(', ')})
       ${figures} GROUP BY ${keys.map((key) => `k_${key}`).join(', ')} ${settings}`,
      { ...params, ...places.params },
    );
  }
  if (await hasEdges(store, ofHours, params)) {
    const callers = selectCallers(selectCallees(ofHours), 'project_id = {project:UUID}');
    await store.commandBeside(
      `INSERT INTO caller_rollups (project_id, hour, built, ${CALLER_COLUMNS})
       SELECT {project:UUID}, toStartOfHour(start_time), {built:UInt64}, ${CALLER_COLUMNS} FROM (${callers}) ${settings}`,
      params,
    );
  }
  await store.commandBeside(
    'INSERT INTO rollup_hours SELECT {project:UUID}, toDateTime(arrayJoin({hours:Array(UInt32)})), {built:UInt64}',
    params,
  );
}

const TABLES = ['request_rollups', 'user_rollups', 'step_rollups', 'caller_rollups', 'rollup_hours'] as const;

/**
 * Deletes builds that a newer completed build of the same hour replaced, in one project or in all. Incomplete builds are kept, since
 * another server can be writing them. Rows of an interrupted build stay until their hour is deleted.
 */
export async function deleteSuperseded(store: TraceStore, project?: ProjectId): Promise<void> {
  const params: { [name: string]: string } = project === undefined ? {} : { project };
  const of = project === undefined ? 'true' : 'project_id = {project:UUID}';
  const superseded = `SELECT project_id, hour, built FROM rollup_hours WHERE ${of} AND (project_id, hour, built) NOT IN (
    SELECT project_id, hour, max(built) FROM rollup_hours WHERE ${of} GROUP BY project_id, hour)`;
  const [row] = await store.rows(
    z.object({ makings: z.coerce.number() }),
    `SELECT count() AS makings FROM (${superseded})`,
    params,
  );
  if (row === undefined || row.makings === 0) return;
  for (const table of TABLES) {
    await store.commandBeside(
      `DELETE FROM ${table} WHERE /* housekeeping */ ${of} AND (project_id, hour, built) IN (${superseded})
       SETTINGS allow_nondeterministic_mutations = 1`,
      params,
    );
  }
}

/**
 * Deletes one user's rollups from every build. The user's hours must be marked. The statement contains a hash of the user id, because
 * ClickHouse stores the statement.
 */
export async function deleteUserRollups(store: TraceStore, project: ProjectId, user: string): Promise<void> {
  await store.command(
    `DELETE FROM user_rollups WHERE project_id = {project:UUID} AND ${USER_HASH} = {userHash:String}`,
    { project, userHash: hashOfUser(user) },
  );
}

/** Deletes a project's rollups before an hour, or all of the project's rollups. */
export async function deleteRollups(store: TraceStore, project: ProjectId, before?: Hour): Promise<void> {
  for (const table of TABLES) {
    await store.command(
      `DELETE FROM ${table} WHERE project_id = {project:UUID}${before === undefined ? '' : ' AND hour < fromUnixTimestamp({before:UInt32})'}`,
      { project, ...(before === undefined ? {} : { before: hourToSeconds(before) }) },
    );
  }
}

/** Finds the hours of a project in a range that have traces or rollups. The end of the range is exclusive. */
export async function findHours(
  store: TraceStore,
  project: ProjectId,
  from: Hour,
  until: Hour,
): Promise<Hour[]> {
  const params = { project, from: hourToSeconds(from), until: hourToSeconds(until) };
  const rows = await store.rows(
    z.object({ hour: z.number() }),
    `SELECT DISTINCT toUInt32(intDiv(toUInt32(hour), 3600)) AS hour FROM (
       SELECT toStartOfHour(start_time) AS hour FROM traces WHERE project_id = {project:UUID}
         AND ${startsWithin}
       UNION ALL SELECT hour FROM rollup_hours WHERE project_id = {project:UUID}
         AND hour >= fromUnixTimestamp({from:UInt32}) AND hour < fromUnixTimestamp({until:UInt32}))
     ORDER BY hour`,
    params,
  );
  return rows.map(({ hour }) => hour);
}
