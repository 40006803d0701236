import { formatInstant } from '@throughline/contract';

/** A time range divided into buckets of equal width; the last bucket can be shorter. */
interface CutTime {
  readonly widthMicros: bigint;
  /** The buckets; `from` is inclusive, `to` is exclusive. */
  readonly pieces: readonly { readonly from: string; readonly to: string }[];
}

/** Divides a time range into at most `most` buckets. `from` is inclusive, `until` is exclusive, both in epoch microseconds. */
export function cutTime(from: bigint, until: bigint, most: number): CutTime {
  const widthMicros = divideUp(until - from, BigInt(most));
  const pieces = Array.from({ length: Number(divideUp(until - from, widthMicros)) }, (_piece, index) => {
    const start = from + BigInt(index) * widthMicros;
    const end = start + widthMicros < until ? start + widthMicros : until;
    return { from: formatInstant(start), to: formatInstant(end) };
  });
  return { widthMicros, pieces };
}

/**
 * Returns the end of a period that lasts until now. A period whose start is in the future ends just after its start, so that it is not
 * empty.
 */
export function endPeriod(from: bigint, nowMicros: bigint): bigint {
  return nowMicros > from ? nowMicros : from + 1n;
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
