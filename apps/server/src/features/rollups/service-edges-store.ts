import { z } from 'zod';
import { countRows, type QueryParams, type TraceStore } from '../../platform/trace-store/index.ts';
import { clampHour, HOURS_APART, type Hour, hourToSeconds, toHourFromMicros } from './hours.ts';
import { buildShown, FROM_TRACES, findMarked, type Reading, type Shown } from './rollup-query-plan-store.ts';

/** Columns of caller_rollups after the build number. A row is one request with a known caller. */
export const CALLER_COLUMNS =
  'request, start_time, source, service, environment, release, is_error, duration_micros';

const MICROS_APART = HOURS_APART * 3_600_000_000;

/**
 * A hash of the trace id. Comparing numbers takes half as long as comparing hexadecimal ids, for which ClickHouse would also search a
 * skip index.
 */
const TRACE = 'sipHash64(trace_id)';

/** Returns the parameters of {@link selectCallers} for requests of these hours: the range in which their callers can have begun. */
export function buildEdgeParams(hours: readonly Hour[]): QueryParams {
  return {
    askingFrom: hourToSeconds(clampHour(Math.min(...hours) - HOURS_APART)),
    askingUntil: hourToSeconds(clampHour(Math.max(...hours) + 1 + HOURS_APART)),
  };
}

/**
 * Builds a SELECT of project_id and {@link CALLER_COLUMNS} for the requests of `among` with a known caller. `among` is a FROM expression of
 * requests with a parent span; `ofProjects` is the condition on projects. The caller is the request that is, or contains, the parent span.
 * If the parent span is not stored, for example because it is a step that the SDK sent, the caller is the request that began last among the
 * trace's requests that were running when the callee began. Duplicate rows do not change the result.
 */
export function selectCallers(among: string, ofProjects: string): string {
  const began = 'toUnixTimestamp64Micro(start_time)';
  const [from, until] = ['askingFrom', 'askingUntil'].map(
    (name) => `fromUnixTimestamp64Micro(toInt64({${name}:UInt32}) * 1000000)`,
  );
  // Callees are on the right of the join, because ClickHouse holds the right side in memory and scans the left. The row of a span can
  // match as the parent span, but not as a request that was running when the callee began: its `ended` is before its `began`.
  return `SELECT any(c.project_id) AS project_id, c.id AS request, any(c.started) AS start_time,
      argMax(p.service, (p.span_id = c.parent_span_id, p.began, p.service)) AS source, any(c.service_) AS service,
      any(c.in_environment) AS environment, any(c.of_release) AS release, any(c.failed) AS is_error, any(c.took) AS duration_micros
    FROM (
      SELECT id, project_id, ${TRACE} AS trace, span_id, toString(service) AS service, ${began} AS began, began + toInt64(duration_micros) AS ended
      FROM traces WHERE ${ofProjects} AND start_time >= ${from} AND start_time < ${until}
      UNION ALL
      SELECT toUUID('00000000-0000-0000-0000-000000000000'), project_id, ${TRACE}, span_id, toString(service),
        toInt64(intDiv(start_nanos, 1000)) AS began, began - 1
      FROM spans WHERE ${ofProjects} AND trace_id IN (SELECT trace_id FROM ${among})
    ) AS p
    INNER JOIN (SELECT id, project_id, ${TRACE} AS trace, parent_span_id, toString(service) AS service_, start_time AS started, ${began} AS began,
        environment AS in_environment, release AS of_release, is_error AS failed, duration_micros AS took FROM ${among}) AS c
      ON p.project_id = c.project_id AND p.trace = c.trace
    WHERE p.id != c.id AND abs(p.began - c.began) <= ${MICROS_APART}
      AND (p.span_id = c.parent_span_id OR (p.began <= c.began AND c.began <= p.ended))
    GROUP BY request`;
}

/** Builds a FROM expression for the requests within `of` that have a parent span. */
export function selectCallees(of: string): string {
  return `traces WHERE ${of} AND parent_span_id != ''`;
}

/** True if any request within `of` has a parent span. In most projects no request has one, so the query for callers can be skipped. */
export async function hasEdges(store: TraceStore, of: string, params: QueryParams): Promise<boolean> {
  const sql = `SELECT count() AS rows FROM (SELECT id FROM ${selectCallees(of)} LIMIT 1)`;
  return (await countRows(store, sql, params)) > 0;
}

/** The projects and start times of requests whose callers are looked up. Times are epoch microseconds; `until` is exclusive. */
export interface AskedRange {
  readonly projects: readonly string[];
  readonly from: bigint | undefined;
  readonly until: bigint | undefined;
}

/**
 * Returns parameters that override the parameters of {@link AskedRequests}, to skip rolled-up requests that began before the hour of
 * `since` (epoch microseconds).
 */
export function findEdgesSince(since: bigint): QueryParams {
  return { askedFirst: hourToSeconds(clampHour(toHourFromMicros(since))) };
}

const OF_PROJECTS = 'project_id IN {askedProjects:Array(UUID)}';

/** SELECTs of project_id and {@link CALLER_COLUMNS} for requests with a known caller. */
export interface AskedRequests {
  /**
   * SELECT from the rollups of unchanged hours. Also returns requests outside the range if they began in the first or last hour of the
   * range.
   */
  readonly rolledUp: string;
  /** SELECT from the traces of changed hours; undefined if no hour changed. */
  readonly changing: string | undefined;
  readonly params: QueryParams;
}

/**
 * Builds SELECTs of the requests with a known caller.
 * @param among conditions on requests that are read from traces; they do not apply to rolled-up requests
 */
export async function selectEdges(
  store: TraceStore,
  { projects, from, until }: AskedRange,
  among: readonly string[],
): Promise<AskedRequests> {
  const hours = {
    first: clampHour(from === undefined ? 0 : toHourFromMicros(from)),
    last: clampHour(until === undefined ? Number.POSITIVE_INFINITY : toHourFromMicros(until - 1n)),
  };
  // Marks are read before rollups. The rollup of an hour without a mark contains all traces stored so far. A change after this point does
  // not remove this rollup: the hour is rebuilt only later.
  const marked = await findMarked(store, projects, hours);
  const rolledUp = `SELECT project_id, ${CALLER_COLUMNS} FROM caller_rollups WHERE ${OF_PROJECTS}
      AND hour >= fromUnixTimestamp({askedFirst:UInt32}) AND hour <= fromUnixTimestamp({askedLast:UInt32}) AND hour NOT IN ${FROM_TRACES}
      AND (project_id, hour, built) IN (
        SELECT project_id, hour, max(built) FROM rollup_hours WHERE ${OF_PROJECTS} GROUP BY project_id, hour)`;
  const params = {
    askedProjects: projects,
    askedFirst: hourToSeconds(hours.first),
    askedLast: hourToSeconds(hours.last),
    fromTraces: marked.map(hourToSeconds),
  };
  const ofHours = `${OF_PROJECTS} AND toStartOfHour(start_time) IN ${FROM_TRACES}`;
  if (marked.length === 0 || !(await hasEdges(store, ofHours, params))) {
    return { rolledUp, changing: undefined, params };
  }
  const asked = selectCallees([ofHours, ...among].join(' AND '));
  return {
    rolledUp,
    changing: `SELECT project_id, ${CALLER_COLUMNS} FROM (${selectCallers(asked, OF_PROJECTS)})`,
    params: { ...params, ...buildEdgeParams(marked) },
  };
}

export function selectAllEdges({ rolledUp, changing }: AskedRequests): string {
  return changing === undefined ? rolledUp : `${rolledUp} UNION ALL ${changing}`;
}

const count = z.coerce.number();
const CallerFigures = z.object({
  source: z.string(),
  target: z.string(),
  requests: count,
  errors: count,
  micros: count,
});
/** Calls from one service to another, with the number of errors; `micros` is the total duration of the callee's responses. */
export type CallerFigures = z.output<typeof CallerFigures>;

/** Finds which services called which other services, the busiest first. */
export async function findCallerFigures(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<CallerFigures[]> {
  const { from, sql, params } = buildShown(project, reading);
  const { until } = reading;
  if (until <= from) return [];
  const asked = await selectEdges(store, { projects: [project.id], from, until }, [sql]);
  return store.rows(
    CallerFigures,
    `SELECT source, service AS target, count() AS requests, countIf(is_error) AS errors, sum(duration_micros) AS micros
     FROM (${selectAllEdges(asked)}) WHERE ${sql}
     GROUP BY source, target ORDER BY requests DESC, source, target`,
    { ...asked.params, ...params },
  );
}
