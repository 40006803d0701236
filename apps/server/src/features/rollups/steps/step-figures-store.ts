import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { STEP_CALLS, STEP_DEPENDENCY, STEP_NAME } from '../names-store.ts';

/** Columns of step_rollups between the build number and the counts. */
export const STEP_KEYS = ['service', 'environment', 'release', 'name', 'type', 'dependency'] as const;
export const STEP_VALUES = ['executions', 'errors', 'duration_micros_sum'] as const;

/** The values that a row of step_rollups takes from the trace, as SQL. */
const OF_TRACE = {
  hour: 'toStartOfHour(start_time)',
  service: 'toString(service)',
  environment: 'toString(environment)',
  release: 'toString(release)',
} as const;
type TraceKey = keyof typeof OF_TRACE;

/** A condition that finds the stored steps of some traces. */
export interface StepPlaces {
  /** A condition on steps that matches all steps of the traces and few other steps. */
  readonly sql: string;
  readonly params: QueryParams;
  /** True if any of the traces has spans. */
  readonly spans: boolean;
}

const Place = z.object({
  day: z.string(),
  first: z.coerce.number(),
  last: z.coerce.number(),
  spans: z.boolean(),
});
type Place = z.output<typeof Place>;

/**
 * Maximum number of places. A place is a storage day and a range of the times that the trace ids contain. Each place is a condition that
 * costs ClickHouse 0.2 ms, so with more places, the places of the same storage day are merged into one.
 */
const MAX_PLACES = 50;

/**
 * Finds where the steps of the matching traces are stored; undefined if no traces match. A trace and its steps are inserted on the same
 * day, so they are in the same day's parts. Uses a separate query, because looking up the traces inside a query over steps would take as
 * long as reading the traces.
 */
export async function findStepPlaces(
  store: TraceStore,
  traces: string,
  params: QueryParams,
): Promise<StepPlaces | undefined> {
  const byHour = await store.rows(
    Place,
    `SELECT toString(toDate(stored_at)) AS day, min(id_time_ms) AS first, max(id_time_ms) AS last, max(has_spans) AS spans
     FROM traces WHERE ${traces} GROUP BY toStartOfHour(start_time), day`,
    params,
  );
  if (byHour.length === 0) return undefined;
  const places = byHour.length > MAX_PLACES ? splitByDay(byHour) : byHour;
  const within = places.map(
    (_, at) =>
      `(toDate(stored_at) = {day${at}:Date} AND trace_time_ms BETWEEN {first${at}:UInt64} AND {last${at}:UInt64})`,
  );
  return {
    sql: `(${within.join(' OR ')})`,
    params: Object.fromEntries(
      places.flatMap(({ day, first, last }, at) => [
        [`day${at}`, day],
        [`first${at}`, first],
        [`last${at}`, last],
      ]),
    ),
    spans: places.some(({ spans }) => spans),
  };
}

function splitByDay(places: readonly Place[]): Place[] {
  return [...Map.groupBy(places, ({ day }) => day)].map(([day, all]) => ({
    day,
    first: Math.min(...all.map(({ first }) => first)),
    last: Math.max(...all.map(({ last }) => last)),
    spans: all.some(({ spans }) => spans),
  }));
}

/**
 * Builds a SELECT with one row per step or span of the traces that match a condition. Columns: `k_` and the key's name for values of the
 * trace, `k_name`, `k_type`, `k_dependency`, and `s_` and the value's name for each value. A span is counted once, with one of its
 * service's requests in the same trace. A step counts only if its trace was stored on the same day: an interrupted insert can have left
 * steps on an earlier day. Run the SELECT with the settings `FOLDED`, because it reads with FINAL.
 */
export function selectSteps(traces: string, places: StepPlaces, keys: readonly TraceKey[]): string {
  const ofTrace = keys.map((key) => `${OF_TRACE[key]} AS k_${key}`).join(', ');
  const shown = [
    ...keys.map((key) => `k_${key}`),
    `${STEP_NAME} AS k_name, toString(type) AS k_type, ${STEP_DEPENDENCY} AS k_dependency`,
  ].join(', ');
  const ofSteps = `SELECT ${shown}, ${STEP_CALLS} AS s_executions, toUInt64(error != '') AS s_errors,
      if(repeat = '', duration_micros, toUInt64(round(JSONExtractFloat(repeat, 'sumMs') * 1000))) AS s_duration_micros_sum
    FROM (SELECT trace, toDate(stored_at) AS day, name, type, metadata, repeat, error, duration_micros FROM steps FINAL
      WHERE project_id = {project:UUID} AND ${places.sql}) AS s
    SEMI LEFT JOIN (SELECT id, toDate(stored_at) AS stored_day, ${ofTrace} FROM traces WHERE ${traces}) AS t
      ON trace = id AND day = stored_day`;
  if (!places.spans) return ofSteps;
  return `${ofSteps} UNION ALL
    SELECT ${shown}, 1, toUInt64(has_error), intDiv(duration_nanos, 1000)
    FROM (SELECT trace_id AS of_trace, service AS of_service, name, type, metadata, has_error, duration_nanos FROM spans FINAL
      WHERE project_id = {project:UUID} AND NOT entry AND trace_id IN (SELECT trace_id FROM traces WHERE ${traces} AND has_spans)) AS s
    SEMI LEFT JOIN (SELECT trace_id, service, ${ofTrace} FROM traces WHERE ${traces} AND has_spans) AS t
      ON of_trace = trace_id AND of_service = service`;
}
