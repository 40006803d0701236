import { z } from 'zod';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { selectSameEndpoint, type TraceEndpoint } from '../usual/usual-store.ts';

/** Successes nearest in time and release that are looked at. */
const MAX_CANDIDATES = 40;
/** A query or body of up to this size is compared with the request's own; a larger one counts as unlike. Characters. */
const MAX_INPUT = 8_000;

const CandidateRow = z.object({
  id: z.string(),
  path: z.string(),
  release: z.string(),
  start_micros: z.string().transform(BigInt),
  step_count: z.coerce.number(),
  query: z.string(),
  body: z.string(),
});
/** A successful request to the same endpoint. */
export type Candidate = z.output<typeof CandidateRow>;

/** Finds successes of an endpoint that took at most `maxMicros`: those of the same release first, then the nearest in time. */
export async function findCandidates(
  store: TraceStore,
  project: VisibleProject,
  endpoint: TraceEndpoint,
  { release, maxMicros }: { readonly release: string; readonly maxMicros: number },
): Promise<Candidate[]> {
  const { sql: sameEndpoint, params, settings } = selectSameEndpoint(project, endpoint);
  const input = (column: string) => `if(length(${column}) > ${MAX_INPUT}, '', ${column})`;
  return store.rows(
    CandidateRow,
    `SELECT id, path, release, toString(toUnixTimestamp64Micro(start_time)) AS start_micros, step_count,
       ${input('request_query')} AS query, ${input('request_body')} AS body
     FROM traces WHERE ${sameEndpoint} AND duration_micros <= {maxMicros:UInt64}
     ORDER BY release = {release:String} DESC, abs(toUnixTimestamp64Micro(start_time) - {start:Int64}), id
     LIMIT ${MAX_CANDIDATES} ${settings}`,
    { ...params, release, maxMicros: String(maxMicros), start: String(endpoint.start_micros) },
  );
}
