import type { AnalyticsRange } from '@throughline/contract';
import type { PlotSeries } from '../../../visuals/plots/series/series.ts';
import { isCompared } from './previous-period.ts';

/** A series of a chart over time: its name and look, and a function that reads its value in one interval of the chart. */
export interface SeriesOf<Part> extends Pick<PlotSeries, 'name' | 'look' | 'kind'> {
  readonly pick: (part: Part) => number | null;
  /** False if the chart has no line for the previous period of this series. */
  readonly isCompared?: false;
}

/** The dash patterns of the lines that show the previous period, used in turn. */
const PREVIOUS_DASHES = [
  [6, 3],
  [2, 3],
] as const;

/**
 * Builds the series of a chart. With a comparison, adds one dashed line per series with the values of the previous period. Both periods
 * begin at the left edge of the chart. `previous` is null without a comparison.
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

/** Returns "The previous period has no data." if a comparison was requested but the chart has no line for the previous period. */
export function describePrevious<Part extends object>(
  range: Pick<AnalyticsRange, 'previous'>,
  columns: readonly SeriesOf<Part>[],
  previous: readonly Part[] | null,
): string | undefined {
  return isCompared(range) && !hasValues(columns, previous) ? 'The previous period has no data.' : undefined;
}

/**
 * True if the previous period has requests, and at least one of the chart's series has a value in that period. An error rate of zero is a
 * value; the error rate of an hour without requests is null.
 */
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
