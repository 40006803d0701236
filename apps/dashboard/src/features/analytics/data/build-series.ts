import type { AnalyticsRange } from '@throughline/contract';
import type { PlotSeries } from '../../../visuals/plots/series/series.ts';
import { isCompared } from './previous-period.ts';

/** A series of a chart over time: its look, and its value in an interval. */
export interface SeriesOf<Part> extends Pick<PlotSeries, 'name' | 'look' | 'kind'> {
  readonly pick: (part: Part) => number | null;
  /** False if the chart has no line for the previous period of this series. */
  readonly isCompared?: false;
}

/** The dashes of lines about the previous period, in the order of the series. These lines are also thinner than other lines. */
const PREVIOUS_DASHES = [
  [6, 3],
  [2, 3],
] as const;

/**
 * Builds the series of a chart, followed by a dashed line per series with the values of the previous period at the same distance from the
 * start. `previous` is null without a comparison. A previous period without values has no lines.
 */
export function buildSeries<Part extends object>(
  columns: readonly SeriesOf<Part>[],
  parts: readonly Part[],
  previous: readonly Part[] | null,
): readonly PlotSeries[] {
  const now = columns.map(({ name, look, kind, pick }) => ({ name, look, kind, values: parts.map(pick) }));
  if (!hasValues(columns, previous)) return now;
  const compared = columns.filter(({ isCompared }) => isCompared !== false);
  return [
    ...now,
    ...compared.map(({ name, look, kind, pick }, line) => ({
      name: `${name} (previous period)`,
      look: {
        tone: look.tone,
        dash: PREVIOUS_DASHES[line % PREVIOUS_DASHES.length] ?? PREVIOUS_DASHES[0],
        isOnBars: kind === 'bars',
      },
      kind: 'line' as const,
      previousOf: kind,
      values: parts.map((_, place) => {
        const part = previous?.[place];
        return part === undefined ? null : pick(part);
      }),
    })),
  ];
}

/** Returns a sentence for a chart whose comparison has no lines; undefined if there is no comparison, or if the comparison has lines. */
export function describePrevious<Part extends object>(
  range: Pick<AnalyticsRange, 'previous'>,
  columns: readonly SeriesOf<Part>[],
  previous: readonly Part[] | null,
): string | undefined {
  return isCompared(range) && !hasValues(columns, previous) ? 'The previous period has no data.' : undefined;
}

/** True if the previous period has requests, and a value of the chart. An error rate of zero is a value; an hour without requests has none. */
function hasValues<Part extends object>(
  columns: readonly SeriesOf<Part>[],
  previous: readonly Part[] | null,
): boolean {
  if (previous === null) return false;
  const hasRequests = previous.some((part) =>
    Object.values(part).some((value: unknown) => typeof value === 'number' && value > 0),
  );
  return hasRequests && previous.some((part) => columns.some(({ pick }) => pick(part) !== null));
}
