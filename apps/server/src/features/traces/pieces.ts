import { microsToInstant } from '@throughline/contract';

/** A stretch of time cut into even pieces, the last of which may be shorter. */
interface CutTime {
  readonly widthMicros: bigint;
  /** `from` is included, `to` is not. */
  readonly pieces: readonly { readonly from: string; readonly to: string }[];
}

/** Cuts the time from `from` on, before `until`, epoch µs, into so many pieces at most. */
export function cutTime(from: bigint, until: bigint, most: number): CutTime {
  const widthMicros = ceilDiv(until - from, BigInt(most));
  const pieces = Array.from({ length: Number(ceilDiv(until - from, widthMicros)) }, (_piece, index) => {
    const start = from + BigInt(index) * widthMicros;
    const end = start + widthMicros < until ? start + widthMicros : until;
    return { from: microsToInstant(start), to: microsToInstant(end) };
  });
  return { widthMicros, pieces };
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
