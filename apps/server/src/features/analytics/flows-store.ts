import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { FOLDED, type Reading, type Shown } from '../rollups/index.ts';
import { tracesOf } from './store.ts';

const count = z.coerce.number();

/** Requests by their number of steps: none, 1–2, 3–4, 5 and more; and how many another service asked. */
export async function findFlowLengths(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, reading);
  const [row] = await store.rows(
    z.object({ none: count, simple: count, medium: count, complex: count, asked: count }),
    `SELECT countIf(step_count = 0) AS none, countIf(step_count BETWEEN 1 AND 2) AS simple,
       countIf(step_count BETWEEN 3 AND 4) AS medium, countIf(step_count >= 5) AS complex, countIf(parent_span_id != '') AS asked
     FROM ${from} ${FOLDED}`,
    params,
  );
  return row ?? { none: 0, simple: 0, medium: 0, complex: 0, asked: 0 };
}

/**
 * Which service asked which, and what came of it. The request that asked is the one, or has the span, that the asked one names as its parent; where
 * that is not stored under this id, as with steps, it is the request of the same trace that ran when the asked one began, the last of them to begin.
 */
export async function findCallers(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, reading);
  const asked = `${from} AND parent_span_id != ''`;
  const began = 'toUnixTimestamp64Micro(start_time)';
  return store.rows(
    z.object({ source: z.string(), target: z.string(), requests: count, errors: count, micros: count }),
    `SELECT source, target, count() AS requests, countIf(failed) AS errors, sum(took) AS micros FROM (
       SELECT any(c.service) AS target, argMax(p.service, (p.span_id = c.parent_span_id, p.began)) AS source, any(c.is_error) AS failed, any(c.duration_micros) AS took
       FROM (SELECT id, trace_id, parent_span_id, toString(service) AS service, is_error, duration_micros, ${began} AS began FROM ${asked}) AS c
       INNER JOIN (
         SELECT id, trace_id, span_id, toString(service) AS service, ${began} AS began, began + toInt64(duration_micros) AS ended
         FROM traces FINAL WHERE project_id = {project:UUID} AND trace_id IN (SELECT trace_id FROM ${asked})
         UNION ALL
         SELECT toUUID('00000000-0000-0000-0000-000000000000'), trace_id, span_id, toString(service), toInt64(0), toInt64(0)
         FROM spans FINAL WHERE project_id = {project:UUID} AND trace_id IN (SELECT trace_id FROM ${asked})
       ) AS p ON p.trace_id = c.trace_id
       WHERE p.id != c.id AND (p.span_id = c.parent_span_id OR (p.began <= c.began AND c.began <= p.ended))
       GROUP BY c.id)
     GROUP BY source, target ORDER BY requests DESC, source, target ${FOLDED}`,
    params,
  );
}
