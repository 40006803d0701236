/** A range with an exclusive end: of time in epoch milliseconds, or of durations in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the index of the range that contains the value. The ranges must be consecutive; for a value outside all ranges, the nearest range
 * counts. Returns -1 if there are no ranges.
 */
export function findPlace(spans: readonly Span[], value: number): number {
  let [low, high] = [0, spans.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((spans[middle]?.from ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return high < 0 ? -1 : low;
}

/**
 * Returns the range from the start of the earlier range to the end of the later one. `a` and `b` are the indexes of these ranges, in any
 * order.
 */
export function joinSpans(spans: readonly Span[], a: number, b: number): Span | undefined {
  const [first, last] = [spans[Math.min(a, b)], spans[Math.max(a, b)]];
  return first === undefined || last === undefined ? undefined : { from: first.from, to: last.to };
}

export function findMiddle({ from, to }: Span): number {
  return (from + to) / 2;
}

/** Returns the ranges that overlap the zoom, or all ranges without a zoom. */
export function selectSpansWithin(spans: readonly Span[], zoom: Span | undefined): readonly Span[] {
  return zoom === undefined ? spans : spans.filter(({ from, to }) => to > zoom.from && from < zoom.to);
}
