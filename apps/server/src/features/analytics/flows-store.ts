import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { callersOf, FOLDED, type Reading, type Shown } from '../rollups/index.ts';
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

/** Which service asked which, and what came of it. */
export async function findCallers(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, reading);
  const answers = callersOf(`${from} AND parent_span_id != ''`, 'project_id = {project:UUID}');
  return store.rows(
    z.object({ source: z.string(), target: z.string(), requests: count, errors: count, micros: count }),
    `SELECT source, target, count() AS requests, countIf(failed) AS errors, sum(took) AS micros
     FROM (${answers})
     GROUP BY source, target ORDER BY requests DESC, source, target ${FOLDED}`,
    params,
  );
}
