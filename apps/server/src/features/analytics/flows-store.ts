import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { FOLDED, type Reading, type Shown } from '../rollups/index.ts';
import { selectShownTraces } from './store.ts';

const count = z.coerce.number();

/** Counts requests by their number of steps: none, 1-2, 3-4, 5 and more. */
export async function findFlowLengths(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = selectShownTraces(project, reading);
  const [row] = await store.rows(
    z.object({ none: count, simple: count, medium: count, complex: count }),
    `SELECT countIf(step_count = 0) AS none, countIf(step_count BETWEEN 1 AND 2) AS simple,
       countIf(step_count BETWEEN 3 AND 4) AS medium, countIf(step_count >= 5) AS complex
     FROM ${from} ${FOLDED}`,
    params,
  );
  return row ?? { none: 0, simple: 0, medium: 0, complex: 0 };
}
