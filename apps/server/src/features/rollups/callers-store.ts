import { z } from 'zod';
import { countRows, type QueryParams, type TraceStore } from '../../platform/trace-store/index.ts';
import { HOURS_APART, type Hour, hourOfMicros, secondsOfHour, withinHours } from './hours.ts';
import { buildShown, FROM_TRACES, findMarked, type Reading, type Shown } from './split-store.ts';

/** What is known of a request that somebody asked for; the columns of caller_rollups behind the making's number. */
export const CALLER_COLUMNS =
  'request, start_time, source, service, environment, release, is_error, duration_micros';

const MICROS_APART = HOURS_APART * 3_600_000_000;

/** Of ids in hexadecimal digits numbers are compared, which takes half as long; the engine would look each up in a skip index besides. */
const TRACE = 'sipHash64(trace_id)';

/** The parameters of {@link selectCallers}, for requests that were asked for within these hours: when those may have begun that asked. */
export function paramsOfAsking(hours: readonly Hour[]): QueryParams {
  return {
    askingFrom: secondsOfHour(withinHours(Math.min(...hours) - HOURS_APART)),
    askingUntil: secondsOfHour(withinHours(Math.max(...hours) + 1 + HOURS_APART)),
  };
}

/**
 * SELECT of project_id and {@link CALLER_COLUMNS} of each request that `among` finds and of which it is known who asked for it. `among` is what stands after FROM for
 * requests that name a parent; `ofProjects` is the condition that they are in. The request that asked is the one, or has the span, that the asked
 * one names as its parent; where that is not stored under this id, as with steps, it is the request of the same trace that ran when the asked one
 * began, the last of them to begin. What is stored twice changes nothing.
 */
export function selectCallers(among: string, ofProjects: string): string {
  const began = 'toUnixTimestamp64Micro(start_time)';
  const [from, until] = ['askingFrom', 'askingUntil'].map(
    (name) => `fromUnixTimestamp64Micro(toInt64({${name}:UInt32}) * 1000000)`,
  );
  // Those that were asked for stand right of the join, where the engine keeps them to go through the others. A span never ran when another service's
  // request began: the request that it is a step of did.
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

/** What stands after FROM for requests among `of` that somebody asked for. */
export function askedAmong(of: string): string {
  return `traces WHERE ${of} AND parent_span_id != ''`;
}

/** Whether there are any. Most projects have none, and need not be read for who asked. */
export async function isAnyAsked(store: TraceStore, of: string, params: QueryParams): Promise<boolean> {
  const sql = `SELECT count() AS rows FROM (SELECT id FROM ${askedAmong(of)} LIMIT 1)`;
  return (await countRows(store, sql, params)) > 0;
}

/** Requests that are looked at for who asked for them: whose they are, and when they start, epoch µs, `until` not included. */
export interface AskedRange {
  readonly projects: readonly string[];
  readonly from: bigint | undefined;
  readonly until: bigint | undefined;
}

/** Parameters that, in place of its own, let a SELECT of {@link AskedRequests} find no request that was rolled up before the hour of `since`, epoch µs. */
export function askedSince(since: bigint): QueryParams {
  return { askedFirst: secondsOfHour(withinHours(hourOfMicros(since))) };
}

const OF_PROJECTS = 'project_id IN {askedProjects:Array(UUID)}';

/** SELECTs of project_id and {@link CALLER_COLUMNS} of such requests. */
export interface AskedRequests {
  /** Of hours that did not change; they may start in the range's hours but not in the range. */
  readonly rolledUp: string;
  /** Of the others, read from the traces; undefined where there are none. */
  readonly changing: string | undefined;
  readonly params: QueryParams;
}

/** @param among conditions that those meet which are read from the traces; those that are rolled up are found whether they do or not */
export async function selectAsked(
  store: TraceStore,
  { projects, from, until }: AskedRange,
  among: readonly string[],
): Promise<AskedRequests> {
  const hours = {
    first: withinHours(from === undefined ? 0 : hourOfMicros(from)),
    last: withinHours(until === undefined ? Number.POSITIVE_INFINITY : hourOfMicros(until - 1n)),
  };
  // Read before the rollups: an hour that changes from here on is answered as it was.
  const marked = await findMarked(store, projects, hours);
  const rolledUp = `SELECT project_id, ${CALLER_COLUMNS} FROM caller_rollups WHERE ${OF_PROJECTS}
      AND hour >= fromUnixTimestamp({askedFirst:UInt32}) AND hour <= fromUnixTimestamp({askedLast:UInt32}) AND hour NOT IN ${FROM_TRACES}
      AND (project_id, hour, built) IN (
        SELECT project_id, hour, max(built) FROM rollup_hours WHERE ${OF_PROJECTS} GROUP BY project_id, hour)`;
  const params = {
    askedProjects: projects,
    askedFirst: secondsOfHour(hours.first),
    askedLast: secondsOfHour(hours.last),
    fromTraces: marked.map(secondsOfHour),
  };
  const ofHours = `${OF_PROJECTS} AND toStartOfHour(start_time) IN ${FROM_TRACES}`;
  if (marked.length === 0 || !(await isAnyAsked(store, ofHours, params))) {
    return { rolledUp, changing: undefined, params };
  }
  const asked = askedAmong([ofHours, ...among].join(' AND '));
  return {
    rolledUp,
    changing: `SELECT project_id, ${CALLER_COLUMNS} FROM (${selectCallers(asked, OF_PROJECTS)})`,
    params: { ...params, ...paramsOfAsking(marked) },
  };
}

/** Both together. */
export function eitherAsked({ rolledUp, changing }: AskedRequests): string {
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
/** How often one service asked another, and what came of it; `micros` is what the answers took together. */
export type CallerFigures = z.output<typeof CallerFigures>;

/** Which services asked which, the busiest first. */
export async function findCallerFigures(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<CallerFigures[]> {
  const { from, sql, params } = buildShown(project, reading);
  const { until } = reading;
  if (until <= from) return [];
  const asked = await selectAsked(store, { projects: [project.id], from, until }, [sql]);
  return store.rows(
    CallerFigures,
    `SELECT source, service AS target, count() AS requests, countIf(is_error) AS errors, sum(duration_micros) AS micros
     FROM (${eitherAsked(asked)}) WHERE ${sql}
     GROUP BY source, target ORDER BY requests DESC, source, target`,
    { ...asked.params, ...params },
  );
}
