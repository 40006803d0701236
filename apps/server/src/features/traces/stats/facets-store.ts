import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type Conditions, combineConditions } from '../list/conditions.ts';

const micros = z.string().transform(BigInt);
const Counted = z.object({ requests: z.coerce.number(), failed: z.coerce.number() });

/** Number of traces, number of failed traces, and total duration. */
export const Sums = Counted.extend({ took_micros: z.number() });
export type Sums = z.output<typeof Sums>;
/** The columns of {@link Sums}. Durations are summed as floats, because a sum of integers could overflow. */
export const SUMS =
  'count() AS requests, countIf(is_error) AS failed, sum(toFloat64(duration_micros)) AS took_micros';

/** Number of traces, number of failed traces, and the start of the first and last trace in epoch microseconds. */
const Extent = Counted.extend({ first_micros: micros, last_micros: micros });
export type Extent = z.output<typeof Extent>;

export async function findExtent(store: TraceStore, { sql, params }: Conditions): Promise<Extent> {
  const [row] = await store.rows(
    Extent,
    `SELECT count() AS requests, countIf(is_error) AS failed, toString(toUnixTimestamp64Micro(min(start_time))) AS first_micros,
       toString(toUnixTimestamp64Micro(max(start_time))) AS last_micros
     FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return row ?? { requests: 0, failed: 0, first_micros: 0n, last_micros: 0n };
}

export async function countUsers(store: TraceStore, { sql, params }: Conditions): Promise<number> {
  const [row] = await store.rows(
    z.object({ users: z.coerce.number() }),
    `SELECT uniqExactIf(user_id, user_id != '') AS users FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return row?.users ?? 0;
}

/** Time buckets of `widthMicros` each. The first bucket begins at `fromMicros`. */
export interface Pieces {
  readonly fromMicros: bigint;
  readonly widthMicros: bigint;
}

const Piece = Counted.extend({ piece: z.coerce.number() });

/**
 * Counts the traces that started in each time bucket. Empty buckets are absent. Bucket 0 also counts traces from up to one bucket width
 * before `fromMicros`, because `intDiv` rounds towards zero.
 */
export async function countByTime(
  store: TraceStore,
  { sql, params }: Conditions,
  { fromMicros, widthMicros }: Pieces,
): Promise<z.output<typeof Piece>[]> {
  return store.rows(
    Piece,
    `SELECT intDiv(toUnixTimestamp64Micro(start_time) - {pieceFrom:Int64}, {pieceWidth:Int64}) AS piece, count() AS requests,
       countIf(is_error) AS failed
     FROM traces WHERE ${sql.join(' AND ')} GROUP BY piece`,
    { ...params, pieceFrom: String(fromMicros), pieceWidth: String(widthMicros) },
  );
}

/** One value of one facet, in the columns of this facet. The columns of the other facets are empty. */
const Value = Counted.extend({
  facet: z.enum(['status', 'method', 'path', 'duration']),
  status_code: z.number(),
  verb: z.string(),
  /** The route template; empty if the template is unknown. */
  template: z.string(),
  place: z.string(),
  bucket: z.coerce.number(),
});
export type FacetValue = z.output<typeof Value>;

/** Maximum number of values read per facet. There are fewer duration buckets than that. */
const MAX_VALUES = 200;

/**
 * Counts the values of each facet, the most frequent first. `bounds` are the starts of the duration buckets in microseconds, the first of
 * which is 0. Counts only about one in `oneIn` traces, in each query the same traces.
 */
export async function countValues(
  store: TraceStore,
  conditions: Conditions,
  { bounds, oneIn }: { readonly bounds: readonly number[]; readonly oneIn: number },
): Promise<FacetValue[]> {
  const sampled: Conditions =
    oneIn === 1
      ? { sql: [], params: {} }
      : { sql: ['cityHash64(id) % {oneIn:UInt32} = 0'], params: { oneIn } };
  const { sql, params } = combineConditions(conditions, sampled);
  // Counts all four facets in one table scan.
  return store.rows(
    Value,
    `SELECT multiIf(grouping(status_code) = 0, 'status', grouping(verb) = 0, 'method', grouping(place) = 0, 'path', 'duration') AS facet,
       status_code, upper(method) AS verb, toString(route) AS template, if(template = '', path, template) AS place,
       roundDown(duration_micros, {bounds:Array(UInt64)}) AS bucket, count() AS requests, countIf(is_error) AS failed
     FROM traces WHERE ${sql.join(' AND ')}
     GROUP BY GROUPING SETS ((status_code), (verb), (template, place), (bucket))
     ORDER BY requests DESC, status_code, verb, place, bucket LIMIT ${MAX_VALUES} BY facet`,
    { ...params, bounds },
  );
}
