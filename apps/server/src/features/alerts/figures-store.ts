import type { AlertScope } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { DURATION_RANKS, selectPart } from '../rollups/index.ts';
import { buildConditions, readFilters } from '../traces/index.ts';

const Figures = z.object({ requests: z.coerce.number(), errors: z.coerce.number(), p95: z.coerce.number() });
export type Figures = z.output<typeof Figures>;

/** Measures the requests that a rule covers. Reads traces, because rollups only have whole hours. Times are epoch microseconds. */
export async function measure(
  store: TraceStore,
  project: ShownProject,
  scope: AlertScope,
  range: { readonly from: bigint; readonly until: bigint },
): Promise<Figures> {
  const part = selectPart(scope);
  const { sql, params } = await buildConditions(store, [project], {
    ...readFilters({ q: scope.filter ?? '' }),
    ...range,
  });
  const [row] = await store.rows(
    Figures,
    `SELECT count() AS requests, countIf(is_error) AS errors,
       if(requests = 0, 0, (${DURATION_RANKS})[2] / 1000) AS p95
     FROM traces WHERE ${sql.join(' AND ')}${part.sql}`,
    { ...params, ...part.params },
  );
  return row ?? { requests: 0, errors: 0, p95: 0 };
}
