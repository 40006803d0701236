/**
 * A bar of a chart: the number of requests with a value (such as a duration) from `from` to `to`, and how many of the requests failed. `to`
 * is exclusive, except in the last bar.
 */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly errors: number;
}

/** A range on the axis of a chart, such as durations. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of consecutive bars from `a` to `b`, given in any order. */
export function findRange(buckets: readonly Bucket[], a: number, b: number): Range | undefined {
  const [first, last] = [buckets[Math.min(a, b)], buckets[Math.max(a, b)]];
  return first === undefined || last === undefined ? undefined : { from: first.from, to: last.to };
}

/** True if the middle of a bar is within the range, or if no range is given. */
export function isWithin({ from, to }: Bucket, range: Range | undefined): boolean {
  const middle = (from + to) / 2;
  return range === undefined || (middle >= range.from && middle <= range.to);
}
