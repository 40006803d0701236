const BEGAN = 'toUnixTimestamp64Micro(start_time)';

/** Of ids in hexadecimal digits numbers are compared, which takes half as long; the engine would look each up in a skip index besides. */
const TRACE = 'sipHash64(trace_id)';

/**
 * SELECT of who asked each of the requests that `among` finds, as far as it is known: the request's id, the service that answered (`target`), the one
 * that asked (`source`), and what came of it. `among` is what stands after FROM for requests that name a parent; `ofProjects` is the condition that they are in.
 * The request that asked is the one, or has the span, that the asked one names as its parent; where that is not stored under this id, as with steps,
 * it is the request of the same trace that ran when the asked one began, the last of them to begin. What is stored twice changes nothing.
 */
export function callersOf(among: string, ofProjects: string): string {
  return `SELECT c.id AS asked, any(c.service) AS target, argMax(p.service, (p.span_id = c.parent_span_id, p.began)) AS source,
      any(c.is_error) AS failed, any(c.duration_micros) AS took
    FROM (SELECT id, project_id, ${TRACE} AS trace, parent_span_id, toString(service) AS service, is_error, duration_micros, ${BEGAN} AS began FROM ${among}) AS c
    INNER JOIN (
      SELECT id, project_id, ${TRACE} AS trace, span_id, toString(service) AS service, ${BEGAN} AS began, began + toInt64(duration_micros) AS ended
      FROM traces WHERE ${ofProjects} AND ${TRACE} IN (SELECT ${TRACE} FROM ${among})
      UNION ALL
      SELECT toUUID('00000000-0000-0000-0000-000000000000'), project_id, ${TRACE}, span_id, toString(service), toInt64(0), toInt64(0)
      FROM spans WHERE ${ofProjects} AND ${TRACE} IN (SELECT ${TRACE} FROM ${among})
    ) AS p ON p.project_id = c.project_id AND p.trace = c.trace
    WHERE p.id != c.id AND (p.span_id = c.parent_span_id OR (p.began <= c.began AND c.began <= p.ended))
    GROUP BY asked`;
}
