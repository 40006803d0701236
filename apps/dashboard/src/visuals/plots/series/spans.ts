/** A stretch of values, its end excluded: of time in epoch milliseconds, or of durations in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Which of stretches that follow one another holds the value; the nearest one of a value beyond them. -1 without any. */
export function findPlace(spans: readonly Span[], value: number): number {
  let [low, high] = [0, spans.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((spans[middle]?.from ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return high < 0 ? -1 : low;
}

/** From the one to the other, whichever comes first. */
export function spanOver(spans: readonly Span[], a: number, b: number): Span | undefined {
  const [first, last] = [spans[Math.min(a, b)], spans[Math.max(a, b)]];
  return first === undefined || last === undefined ? undefined : { from: first.from, to: last.to };
}

export function findMiddle({ from, to }: Span): number {
  return (from + to) / 2;
}

/** The ranges that overlap another one. */
export function spansWithin(spans: readonly Span[], zoom: Span | undefined): readonly Span[] {
  return zoom === undefined ? spans : spans.filter(({ from, to }) => to > zoom.from && from < zoom.to);
}
