import { STEP_DEPENDENCY, STEP_NAME } from './names-store.ts';

/** The columns of step_rollups between the making's number and the counts. */
export const STEP_KEYS = ['service', 'environment', 'release', 'name', 'type', 'dependency'] as const;
export const STEP_VALUES = ['executions', 'errors', 'duration_micros_sum'] as const;

/**
 * SELECT of the figures of the steps of all traces that a condition finds, by their hour: steps as they were sent, and spans. A span counts with the
 * request of its service in its trace, once where there are several, or where one is stored twice. Steps are stored in the same moment as their
 * trace, so they are in the parts of its day; what was cut off the day before is not counted. To be read with {@link FOLDED}. Without `spans`, for
 * traces that have none: looking for them takes as long as reading the steps.
 */
export function stepFiguresOf(traces: string, { spans }: { readonly spans: boolean }): string {
  const columns = 'service, environment, release, start_time';
  const ofSpans = `UNION ALL
      SELECT t.service, t.environment, t.release, t.start_time, s.name, s.type, s.metadata, 1, s.has_error, intDiv(s.duration_nanos, 1000)
      FROM (SELECT trace_id, service, name, type, metadata, has_error, duration_nanos FROM spans FINAL
        WHERE project_id = {project:UUID} AND NOT entry AND trace_id IN (SELECT trace_id FROM traces WHERE ${traces} AND has_spans)) AS s
      SEMI LEFT JOIN (SELECT trace_id, ${columns} FROM traces WHERE ${traces} AND has_spans) AS t
        ON s.trace_id = t.trace_id AND s.service = t.service`;
  return `SELECT hour, service, environment, release, name_ AS name, type_ AS type, dependency, count_sum AS executions, error_sum AS errors, micros_sum AS duration_micros_sum FROM (
    SELECT toStartOfHour(start_time) AS hour, toString(service_) AS service, toString(environment_) AS environment, toString(release_) AS release,
      ${STEP_NAME} AS name_, toString(type) AS type_, ${STEP_DEPENDENCY} AS dependency, sum(calls) AS count_sum, sum(failed) AS error_sum, sum(micros) AS micros_sum
    FROM (
      SELECT t.service AS service_, t.environment AS environment_, t.release AS release_, t.start_time AS start_time, s.name AS name, s.type AS type,
        s.metadata AS metadata, if(s.repeat = '', 1, JSONExtractUInt(s.repeat, 'count')) AS calls, s.error != '' AS failed,
        if(s.repeat = '', s.duration_micros, toUInt64(round(JSONExtractFloat(s.repeat, 'sumMs') * 1000))) AS micros
      FROM (SELECT trace, name, type, metadata, repeat, error, duration_micros FROM steps FINAL
        WHERE project_id = {project:UUID} AND toDate(stored_at) IN (SELECT toDate(stored_at) FROM traces WHERE ${traces})
          AND (trace_time_ms, trace, toDate(stored_at)) IN (SELECT id_time_ms, id, toDate(stored_at) FROM traces WHERE ${traces})) AS s
      SEMI LEFT JOIN (SELECT id, ${columns} FROM traces WHERE ${traces}) AS t ON s.trace = t.id
      ${spans ? ofSpans : ''})
    GROUP BY hour, service, environment, release, name_, type_, dependency)`;
}
