import { type AnalyticsRange, INTERVAL_MS } from '@throughline/contract';
import type { Span } from '../../../visuals/plots/series/spans.ts';

/**
 * Returns the start and the end of each interval of a range. An interval ends where the next interval begins. The last interval is as long
 * as the others, but does not go beyond the range's end.
 */
export function buildSpans(
  range: AnalyticsRange,
  parts: readonly { readonly time: string }[],
): readonly Span[] {
  const starts = parts.map(({ time }) => Date.parse(time));
  const end = Date.parse(range.endDate);
  return starts.map((from, place) => ({
    from,
    to: starts[place + 1] ?? Math.max(from + 1, Math.min(end, endOfPart(range, from))),
  }));
}

function endOfPart({ interval }: AnalyticsRange, from: number): number {
  if (interval !== 'day') return from + INTERVAL_MS[interval];
  const day = new Date(from);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
}

const WORDS: { readonly [interval in AnalyticsRange['interval']]: string } = {
  second: 'by second',
  minute: 'by minute',
  fiveMinutes: 'by 5 minutes',
  quarterHour: 'by 15 minutes',
  hour: 'by hour',
  day: 'by day',
};

/** Describes the length of a range's intervals: "by hour". */
export function describeInterval({ interval }: AnalyticsRange): string {
  return WORDS[interval];
}
