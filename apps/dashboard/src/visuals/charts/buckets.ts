/** A bar of a chart: what fell into a stretch of values, the end excluded but for the last bar's. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly errors: number;
}

/** Something that happened: at which value, and whether it failed. */
export interface Sample {
  readonly value: number;
  readonly failed: boolean;
}

/** Puts samples into `count` bars of the same width from the least value to the greatest. Empty without samples. */
export function evenBuckets(samples: readonly Sample[], count: number): Bucket[] {
  const [least, greatest] = endsOf(samples);
  if (least === undefined || greatest === undefined) return [];
  // One instant, or one value, still has a width: a bar of one.
  const width = Math.max((greatest - least) / count, 1);
  const edges = Array.from({ length: count + 1 }, (_, index) => least + index * width);
  return fill(samples, edges, (value) => (value - least) / width);
}

/** The same with each bar some times as wide as the one before: values from microseconds to minutes are told apart alike. */
export function growingBuckets(samples: readonly Sample[], count: number, least: number): Bucket[] {
  const [smallest, greatest] = endsOf(samples);
  if (smallest === undefined || greatest === undefined) return [];
  const from = Math.max(least, smallest);
  const ratio = Math.max((Math.max(from, greatest) / from) ** (1 / count), 1.001);
  const edges = Array.from({ length: count + 1 }, (_, index) =>
    index === 0 ? Math.min(smallest, from) : from * ratio ** index,
  );
  return fill(samples, edges, (value) => Math.log(Math.max(from, value) / from) / Math.log(ratio));
}

function endsOf(samples: readonly Sample[]): [number | undefined, number | undefined] {
  let [least, greatest]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const { value } of samples) {
    if (least === undefined || value < least) least = value;
    if (greatest === undefined || value > greatest) greatest = value;
  }
  return [least, greatest];
}

function fill(
  samples: readonly Sample[],
  edges: readonly number[],
  placeOf: (value: number) => number,
): Bucket[] {
  const buckets = edges
    .slice(0, -1)
    .map((from, index) => ({ from, to: edges[index + 1] ?? from, total: 0, errors: 0 }));
  for (const { value, failed } of samples) {
    const bucket = buckets[Math.min(buckets.length - 1, Math.max(0, Math.floor(placeOf(value))))];
    if (bucket === undefined) continue;
    bucket.total += 1;
    if (failed) bucket.errors += 1;
  }
  return buckets;
}

/** A stretch of a chart's values. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What some bars in a row stand for; `a` and `b` in any order. */
export function rangeOf(buckets: readonly Bucket[], a: number, b: number): Range | undefined {
  const [first, last] = [buckets[Math.min(a, b)], buckets[Math.max(a, b)]];
  return first === undefined || last === undefined ? undefined : { from: first.from, to: last.to };
}

/** Whether a bar lies within a range, at least with its middle. */
export function isWithin({ from, to }: Bucket, range: Range | undefined): boolean {
  const middle = (from + to) / 2;
  return range === undefined || (middle >= range.from && middle <= range.to);
}
