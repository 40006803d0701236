/** A range with an exclusive end, which is Infinity if the range is open-ended. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** An area of a heatmap: times in epoch milliseconds, and durations in milliseconds. */
export interface Area {
  readonly time: Span;
  readonly duration: Span;
}

const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const MS = String.raw`\d{1,12}(?:\.\d{1,3})?`;
const AREA = new RegExp(`^(${INSTANT})_(${INSTANT})_(${MS})_(${MS})?$`);

/** Writes an area as one URL parameter: `2026-11-20T10:00:00.000Z_2026-11-20T11:00:00.000Z_100_300`, without the last number if open-ended. */
export function writeArea({ time, duration }: Area): string {
  const instants = [time.from, time.to].map((ms) => new Date(ms).toISOString());
  return [...instants, duration.from, Number.isFinite(duration.to) ? duration.to : ''].join('_');
}

/** Reads an area from its URL parameter; undefined if the text is no area, or if the area is empty. */
export function readArea(text: string): Area | undefined {
  const [, start = '', end = '', shortest, longest] = AREA.exec(text) ?? [];
  const time = { from: Date.parse(start), to: Date.parse(end) };
  const duration = { from: Number(shortest), to: Number(longest ?? Number.POSITIVE_INFINITY) };
  return time.from < time.to && duration.from < duration.to ? { time, duration } : undefined;
}
