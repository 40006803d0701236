import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { type TraceStore, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { selectProjects } from '../list/conditions.ts';
import { selectSameEndpoint, type TraceEndpoint } from './usual-store.ts';

/** Maximum number of other requests whose response sizes are read: the nearest in time. */
const MAX_REQUESTS = 200;

const STATED = `toUInt64OrZero(extract(response_headers, '(?i)"content-length":"?([0-9]+)'))`;
const FORM = `JSONExtractString(response_body, '$type')`;
/**
 * SQL for a response's size in bytes, 0 if unknown; `measureResponse` computes the same in TypeScript. The SDK counts the bytes of a body
 * that it captures only in part.
 */
const BYTES = `multiIf(${STATED} > 0, ${STATED}, ${FORM} = 'string', JSONExtractUInt(response_body, 'length'),
  ${FORM} = 'cut', JSONExtractUInt(response_body, 'size'), length(response_body))`;

const SizesRow = z.object({
  requests: z.coerce.number(),
  median: z.coerce.number(),
  largest: z.coerce.number(),
});
export type UsualSize = z.output<typeof SizesRow>;

/** Finds the response sizes, in bytes, of other successful requests to an endpoint. Requests whose size is unknown do not count. */
export async function findUsualSizes(
  store: TraceStore,
  project: ShownProject,
  endpoint: TraceEndpoint,
): Promise<UsualSize | undefined> {
  const { sql: sameEndpoint, params, settings } = selectSameEndpoint(project, endpoint);
  const near = await store.rows(
    z.object({ id: z.string() }),
    `SELECT id FROM traces WHERE ${sameEndpoint}
     ORDER BY abs(toUnixTimestamp64Micro(start_time) - {start:Int64}), id LIMIT ${MAX_REQUESTS} ${settings}`,
    { ...params, start: String(endpoint.start_micros) },
  );
  const ids = near.map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const { sql, params: ofProject } = selectProjects([project]);
  // Bodies are long, so a second query reads them only for the chosen requests.
  const [row] = await store.rows(
    SizesRow,
    `SELECT count() AS requests, quantileExact(0.499999999)(bytes) AS median, max(bytes) AS largest
     FROM (SELECT ${BYTES} AS bytes FROM traces
       WHERE ${sql.join(' AND ')} AND id_time_ms IN {times:Array(UInt64)} AND id IN {ids:Array(UUID)})
     WHERE bytes > 0`,
    { ...ofProject, times: ids.map(timeOfTraceId), ids },
  );
  return row;
}
