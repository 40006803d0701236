import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Conditions } from './conditions.ts';

/**
 * Conditions for rows of `traces` that lack the attributes or step kinds by which a search selects traces. The search then reads the steps
 * and spans of these traces.
 */
export type MissingData = 'NOT attributes_whole' | "step_kinds_hash = sipHash64('')";

const Rest = z.object({
  stepped: z.coerce.number(),
  spanned: z.coerce.number(),
  first_ms: z.string(),
  last_ms: z.string(),
});
/**
 * Number of traces whose steps must be searched, number of traces whose spans must be searched, and the range of the times in the ids of
 * all these traces.
 */
export type Rest = z.output<typeof Rest>;

/** Finds the matching traces whose rows lack the searched data. */
export async function findRest(
  store: TraceStore,
  { sql, params }: Conditions,
  lacking: MissingData,
): Promise<Rest> {
  const [rest] = await store.rows(
    Rest,
    `SELECT countIf(NOT has_spans) AS stepped, countIf(has_spans) AS spanned, toString(min(id_time_ms)) AS first_ms, toString(max(id_time_ms)) AS last_ms
     FROM traces WHERE ${sql.join(' AND ')} AND ${lacking}`,
    params,
  );
  return rest ?? { stepped: 0, spanned: 0, first_ms: '0', last_ms: '0' };
}

/** Builds a SELECT of the ids of distributed traces, for the matching traces that have spans. */
export function selectSpanned({ sql }: Conditions, lacking: MissingData): string {
  return `SELECT trace_id FROM traces WHERE ${sql.join(' AND ')} AND ${lacking} AND has_spans`;
}
