import type { SeriesLook } from '../frame/plot-colours.ts';
import type { PlotColumn, PlotTable } from '../frame/plot-table.ts';
import { formatSpan } from '../frame/plot-times.ts';
import type { Span } from './spans.ts';

export interface PlotSeries {
  readonly name: string;
  /** One value per time range; null if there is no data. */
  readonly values: readonly (number | null)[];
  readonly look: SeriesLook;
  /** Bars show a total and its parts: the first series is the total, and the later series are the parts. All other series are lines. */
  readonly kind: 'bars' | 'line';
  /** Set for a line that shows the previous period: the kind of the series that shows the same measure for the selected period. */
  readonly previousOf?: 'bars' | 'line';
}

/** The unit and the format of a chart's values. */
export interface Measure {
  readonly unit: string;
  readonly write: (figure: number) => string;
}

/** A column with the time range in words. An exported file contains the start of the range as an ISO 8601 time instead. */
export function timeColumn(spans: readonly Span[]): PlotColumn {
  const words = new Map(spans.map((span) => [span.from, formatSpan(span)]));
  return {
    name: 'Time',
    write: (ms) => words.get(ms) ?? '',
    inFile: (ms) => new Date(ms).toISOString(),
  };
}

/** Returns the data of a chart over time as a table, with a row per time range. */
export function buildSeriesTable(
  spans: readonly Span[],
  series: readonly PlotSeries[],
  measure: Measure,
): PlotTable {
  return {
    columns: [
      timeColumn(spans),
      ...series.map(({ name }) => ({ name, unit: measure.unit, write: measure.write })),
    ],
    rows: spans.map(({ from }, place) => [from, ...series.map(({ values }) => values[place] ?? null)]),
  };
}

/** Sorts series by value, largest first, so that the legend has the same order as the lines. */
export function sortByValue<Series extends Pick<PlotSeries, 'values'>>(series: readonly Series[]): Series[] {
  const sum = ({ values }: Series) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return series.toSorted((a, b) => sum(b) - sum(a));
}

const COUNT_STEPS = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

/**
 * Returns integer steps for the axis if all series show counts: bars, and the lines that show the previous period of bars. Otherwise sets
 * no steps.
 */
export function findValueSteps(series: readonly Pick<PlotSeries, 'kind' | 'previousOf'>[]): {
  incrs?: number[];
} {
  return series.every(({ kind, previousOf }) => (previousOf ?? kind) === 'bars')
    ? { incrs: COUNT_STEPS }
    : {};
}

/** Returns the range of the value axis, from zero to slightly above the largest value, but at most to `most`. */
export function computeValueRange(greatest: number | null, most?: number): [number, number] {
  if (greatest === null || greatest <= 0) return [0, Math.min(1, most ?? 1)];
  const above = greatest * 1.05;
  return [0, most === undefined ? above : Math.min(most, above)];
}
