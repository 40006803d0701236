import type { AlertScope } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { DURATION_RANKS, selectPart } from '../rollups/index.ts';

const Figures = z.object({ requests: z.coerce.number(), errors: z.coerce.number(), p95: z.coerce.number() });
export type Figures = z.output<typeof Figures>;

/** Measures the requests that a rule covers. Reads traces, because rollups only have whole hours. Times are epoch microseconds. */
export async function measure(
  store: TraceStore,
  { id, shownSince }: ShownProject,
  scope: AlertScope,
  range: { readonly from: bigint; readonly until: bigint },
): Promise<Figures> {
  const { sql, params } = selectPart(scope);
  const [row] = await store.rows(
    Figures,
    `SELECT count() AS requests, countIf(is_error) AS errors,
       if(requests = 0, 0, (${DURATION_RANKS})[2] / 1000) AS p95
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64})${sql}`,
    {
      project: id,
      from: String(range.from < shownSince ? shownSince : range.from),
      until: String(range.until),
      ...params,
    },
  );
  return row ?? { requests: 0, errors: 0, p95: 0 };
}
