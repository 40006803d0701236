import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Conditions } from './conditions.ts';

/** Says of rows, as SQL, that they do not have in them what is searched for: their steps and spans must be looked through. */
export type Lacking = 'NOT attributes_whole' | "step_kinds_hash = sipHash64('')";

const Rest = z.object({
  stepped: z.coerce.number(),
  spanned: z.coerce.number(),
  first_ms: z.string(),
  last_ms: z.string(),
});
/** Of how many traces the steps must be looked through, of how many the spans, and where they are. */
export type Rest = z.output<typeof Rest>;

/** Of the traces that meet the conditions, those whose rows lack what is searched for. */
export async function findRest(
  store: TraceStore,
  { sql, params }: Conditions,
  lacking: Lacking,
): Promise<Rest> {
  const [rest] = await store.rows(
    Rest,
    `SELECT countIf(NOT has_spans) AS stepped, countIf(has_spans) AS spanned, toString(min(id_time_ms)) AS first_ms, toString(max(id_time_ms)) AS last_ms
     FROM traces WHERE ${sql.join(' AND ')} AND ${lacking}`,
    params,
  );
  return rest ?? { stepped: 0, spanned: 0, first_ms: '0', last_ms: '0' };
}

/** SELECT of the distributed traces of those among them that have spans. */
export function selectSpanned({ sql }: Conditions, lacking: Lacking): string {
  return `SELECT trace_id FROM traces WHERE ${sql.join(' AND ')} AND ${lacking} AND has_spans`;
}
