/** One column of a rollup: how it is made of traces, and how its values for several hours become one. */
interface State {
  readonly column: string;
  readonly ofTraces: string;
  readonly merged: string;
}

const sumOf = (column: string, ofTraces: string): State => ({ column, ofTraces, merged: `sum(${column})` });
const maxOf = (column: string, ofTraces: string): State => ({ column, ofTraces, merged: `max(${column})` });

/** Columns of a table of rollups: `by` are those that its rows differ in. */
interface States {
  /** The names of all, for an insert. */
  readonly columns: string;
  /** The same, of traces. */
  readonly select: string;
  /** The names of those that rows differ in. */
  readonly by: string;
  /** What makes these of a trace, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly values: readonly State[];
}

function statesOf(keys: Readonly<Record<string, string>>, values: readonly State[]): States {
  return {
    columns: [...Object.keys(keys), ...values.map(({ column }) => column)].join(', '),
    // In a subquery of its own names: an alias would otherwise stand for the column that it is made of.
    select: [...Object.values(keys), ...values.map(({ ofTraces }) => ofTraces)].join(', '),
    by: Object.values(keys).join(', '),
    keys,
    values,
  };
}

/** A segment that is a number, a UUID, hexadecimal digits, or long with digits in it is an id, not a name. */
const IS_ID = `match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
  OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20))`;

/** SQL of a path with `:id` for what looks like one. */
function withoutIds(path: string): string {
  return `arrayStringConcat(arrayMap(segment -> if(${IS_ID}, ':id', segment), splitByChar('/', ${path})), '/')`;
}

/** The route, or where none is known the path with `:id` for what looks like one, without a query. */
export const ENDPOINT = `if(route != '', toString(route), ${withoutIds('cutQueryString(path)')})`;

const QUANTILES = '0.005, 0.5, 0.95, 0.99';

export const REQUEST_STATES = statesOf(
  {
    method: 'upper(method)',
    endpoint: ENDPOINT,
    status_class: 'toUInt8(intDiv(status_code, 100))',
    service: 'service',
    environment: 'environment',
    release: 'release',
  },
  [
    sumOf('requests', 'count()'),
    sumOf('errors', 'countIf(is_error)'),
    sumOf('duration_micros_sum', 'sum(duration_micros)'),
    maxOf('duration_micros_max', 'max(duration_micros)'),
    {
      column: 'durations',
      ofTraces: `quantilesDDState(${QUANTILES})(toFloat64(duration_micros))`,
      merged: `quantilesDDMerge(${QUANTILES})(durations)`,
    },
    sumOf('steps_sum', 'sum(step_count)'),
    maxOf('steps_max', 'max(step_count)'),
    sumOf('heap_used_sum', 'ifNull(sum(heap_used), 0)'),
    sumOf('heap_used_count', 'count(heap_used)'),
    sumOf('cpu_usage_sum', 'ifNull(sum(cpu_usage), 0)'),
    sumOf('cpu_usage_count', 'count(cpu_usage)'),
    sumOf('event_loop_delay_sum', 'ifNull(sum(event_loop_delay), 0)'),
    sumOf('event_loop_delay_count', 'count(event_loop_delay)'),
  ],
);

/** A user who is away for so long has ended a session. */
export const SESSION_PAUSE_MICROS = 30 * 60 * 1_000_000;

const PAUSES = `arrayFilter(gap -> gap >= ${SESSION_PAUSE_MICROS},
  arrayDifference(arraySort(groupArray(toUnixTimestamp64Micro(start_time)))))`;

export const USER_STATES = statesOf({ user_id: 'user_id' }, [
  sumOf('requests', 'count()'),
  sumOf('errors', 'countIf(is_error)'),
  sumOf('duration_micros_sum', 'sum(duration_micros)'),
  { column: 'first_start', ofTraces: 'min(start_time)', merged: 'min(first_start)' },
  { column: 'last_start', ofTraces: 'max(start_time)', merged: 'max(last_start)' },
  sumOf('pauses', `toUInt32(length(${PAUSES}))`),
  sumOf('paused_micros', `toUInt64(arraySum(${PAUSES}))`),
]);

/** What a step is called in figures: what asks another server, by the path's shape. */
const STEP_NAME = `if(type = 'http', ${withoutIds('toString(name)')}, toString(name))`;

/** What a step asks; it may be known by its metadata, by its name, or by its kind alone. */
const DEPENDENCY = `multiIf(
  type = 'http', coalesce(nullIf(JSONExtractString(metadata, 'server.address'), ''), nullIf(extract(name, '^[^ ]+ ([^/?# ]+)'), ''), 'http'),
  type IN ('database', 'cache'), lower(coalesce(nullIf(JSONExtractString(metadata, 'db.system.name'), ''),
    nullIf(JSONExtractString(metadata, 'db.system'), ''), toString(type))),
  type = 'queue', coalesce(nullIf(JSONExtractString(metadata, 'messaging.system'), ''), 'queue'),
  '')`;

/** The columns of step_rollups between the making's number and the counts. */
export const STEP_KEYS = ['service', 'environment', 'release', 'name', 'type', 'dependency'] as const;
export const STEP_VALUES = ['executions', 'errors', 'duration_micros_sum'] as const;

/**
 * SELECT of the figures of the steps of all traces that a condition finds, by their hour: steps as they were sent, and spans. A span counts with the
 * request of its service in its trace.
 */
export function stepFiguresOf(traces: string): string {
  const columns = 'service, environment, release, start_time';
  return `SELECT hour, service, environment, release, name_ AS name, type_ AS type, dependency, count_sum AS executions, error_sum AS errors, micros_sum AS duration_micros_sum FROM (
    SELECT toStartOfHour(start_time) AS hour, toString(service_) AS service, toString(environment_) AS environment, toString(release_) AS release,
      ${STEP_NAME} AS name_, toString(type) AS type_, ${DEPENDENCY} AS dependency, sum(calls) AS count_sum, sum(failed) AS error_sum, sum(micros) AS micros_sum
    FROM (
      SELECT t.service AS service_, t.environment AS environment_, t.release AS release_, t.start_time AS start_time, s.name AS name, s.type AS type,
        s.metadata AS metadata, if(s.repeat = '', 1, JSONExtractUInt(s.repeat, 'count')) AS calls, s.error != '' AS failed,
        if(s.repeat = '', s.duration_micros, toUInt64(round(JSONExtractFloat(s.repeat, 'sumMs') * 1000))) AS micros
      FROM (SELECT trace, name, type, metadata, repeat, error, duration_micros FROM steps FINAL
        WHERE project_id = {project:UUID} AND (trace_time_ms, trace) IN (SELECT id_time_ms, id FROM traces WHERE ${traces})) AS s
      INNER JOIN (SELECT id, ${columns} FROM traces FINAL WHERE ${traces}) AS t ON s.trace = t.id
      UNION ALL
      SELECT t.service, t.environment, t.release, t.start_time, s.name, s.type, s.metadata, 1, s.has_error, intDiv(s.duration_nanos, 1000)
      FROM (SELECT trace_id, service, name, type, metadata, has_error, duration_nanos FROM spans FINAL
        WHERE project_id = {project:UUID} AND NOT entry AND trace_id IN (SELECT trace_id FROM traces WHERE ${traces} AND has_spans)) AS s
      ANY INNER JOIN (SELECT trace_id, ${columns} FROM traces FINAL WHERE ${traces} AND has_spans) AS t
        ON s.trace_id = t.trace_id AND s.service = t.service)
    GROUP BY hour, service, environment, release, name_, type_, dependency)`;
}
