import type { SeriesLook } from '../frame/plot-colours.ts';
import type { PlotColumn, PlotTable } from '../frame/plot-table.ts';
import { formatSpan } from '../frame/plot-times.ts';
import type { Span } from './spans.ts';

export interface PlotSeries {
  readonly name: string;
  /** One for each stretch of time; null where there is nothing to tell. */
  readonly values: readonly (number | null)[];
  readonly look: SeriesLook;
  /** Bars stand for counts, of which the later series are parts of the first; lines for all else. */
  readonly kind: 'bars' | 'line';
}

/** The unit of a chart's figures, and their format. */
export interface Measure {
  readonly unit: string;
  readonly write: (figure: number) => string;
}

/** The stretch that begins then, in words; in a file, the instant at which it begins. */
export function timeColumn(spans: readonly Span[]): PlotColumn {
  const words = new Map(spans.map((span) => [span.from, formatSpan(span)]));
  return {
    name: 'Time',
    write: (ms) => words.get(ms) ?? '',
    inFile: (ms) => new Date(ms).toISOString(),
  };
}

/** The figures of a chart over time, a row for each stretch. */
export function seriesTable(
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

/** The greatest first, so that a legend reads as its lines lie. */
export function byValue<Series extends Pick<PlotSeries, 'values'>>(series: readonly Series[]): Series[] {
  const sum = ({ values }: Series) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return series.toSorted((a, b) => sum(b) - sum(a));
}

const COUNT_STEPS = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

/** Bars are counts: half a request is none, so their axis has whole numbers only. */
export function findValueSteps(series: readonly Pick<PlotSeries, 'kind'>[]): { incrs?: number[] } {
  return series.every(({ kind }) => kind === 'bars') ? { incrs: COUNT_STEPS } : {};
}

/** Zero and the greatest value, a little above it; up to `most` where there is no more than that. */
export function valueRange(greatest: number | null, most?: number): [number, number] {
  if (greatest === null || greatest <= 0) return [0, Math.min(1, most ?? 1)];
  const above = greatest * 1.05;
  return [0, most === undefined ? above : Math.min(most, above)];
}
