import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { both, type Conditions } from '../list/conditions.ts';

const micros = z.string().transform(BigInt);
const Counted = z.object({ requests: z.coerce.number(), failed: z.coerce.number() });

/** The number of traces, of failed ones, and their total duration. */
export const Sums = Counted.extend({ took_micros: z.number() });
export type Sums = z.output<typeof Sums>;
/** The columns of {@link Sums}. Durations are summed as floats, because integers could overflow. */
export const SUMS =
  'count() AS requests, countIf(is_error) AS failed, sum(toFloat64(duration_micros)) AS took_micros';

/** The number of traces, of failed ones, and the start of the first and last in epoch µs. */
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

/** Time buckets of `widthMicros` each; the first begins at `fromMicros`. */
export interface Pieces {
  readonly fromMicros: bigint;
  readonly widthMicros: bigint;
}

const Piece = Counted.extend({ piece: z.coerce.number() });

/** Counts the traces that started in each time bucket; empty buckets are missing. Traces up to one width before the first bucket count in it. */
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

/** One value of one facet, in the field of that facet; the other fields are empty. */
const Value = Counted.extend({
  facet: z.enum(['status', 'method', 'path', 'duration']),
  status_code: z.number(),
  verb: z.string(),
  /** Empty if not known. */
  template: z.string(),
  place: z.string(),
  bucket: z.coerce.number(),
});
export type FacetValue = z.output<typeof Value>;

/** The number of values read per facet; there are fewer buckets of durations. */
const MAX_VALUES = 200;

/**
 * Counts the values of each facet, the most frequent first. `bounds` are the starts of duration buckets in µs, the first being 0. About one in
 * `oneIn` traces is counted, always the same ones.
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
  const { sql, params } = both(conditions, sampled);
  // Counts all four facets in one scan.
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
