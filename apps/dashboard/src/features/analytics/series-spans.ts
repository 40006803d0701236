import type { AnalyticsRange } from '@throughline/contract';
import type { Span } from '../../visuals/plots/spans.ts';

/** The parts of a range: from where each begins to where the next does, the last to the range's end. */
export function spansOf(range: AnalyticsRange, parts: readonly { readonly time: string }[]): readonly Span[] {
  const starts = parts.map(({ time }) => Date.parse(time));
  const end = Date.parse(range.endDate);
  return starts.map((from, place) => ({ from, to: starts[place + 1] ?? Math.max(end, from + 1) }));
}

/** "by hour", or "by day" of longer ranges. */
export function byInterval({ interval }: AnalyticsRange): string {
  return `by ${interval}`;
}
