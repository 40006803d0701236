import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type Conditions, selectProjects } from '../list/conditions.ts';
import { type Pieces, SUMS, Sums } from './facets-store.ts';

const PieceOfFigures = Sums.extend({ piece: z.coerce.number() });

/** Bucket index of traces that started before the first bucket. */
export const BEFORE = -1;

/** Sums the traces in each bucket that is not empty, and the traces before the first bucket. The last bucket includes later traces. */
export async function sumByTime(
  store: TraceStore,
  { sql, params }: Conditions,
  { fromMicros, widthMicros, count }: Pieces & { readonly count: number },
): Promise<z.output<typeof PieceOfFigures>[]> {
  return store.rows(
    PieceOfFigures,
    `WITH toUnixTimestamp64Micro(start_time) - {pieceFrom:Int64} AS since
     SELECT if(since < 0, ${BEFORE}, least(intDiv(since, {pieceWidth:Int64}), {lastPiece:Int64})) AS piece, ${SUMS}
     FROM traces WHERE ${sql.join(' AND ')} GROUP BY piece`,
    {
      ...params,
      pieceFrom: String(fromMicros),
      pieceWidth: String(widthMicros),
      lastPiece: String(count - 1),
    },
  );
}

/** True if any visible trace started at or before this time. */
export async function hasTraceFrom(
  store: TraceStore,
  projects: readonly ShownProject[],
  micros: bigint,
): Promise<boolean> {
  const { sql, params } = selectProjects(projects);
  const found = await store.rows(
    z.object({ one: z.number() }),
    `SELECT 1 AS one FROM traces
     WHERE ${sql.join(' AND ')} AND start_time <= fromUnixTimestamp64Micro({early:Int64}) LIMIT 1`,
    { ...params, early: String(micros) },
  );
  return found.length > 0;
}
