import type { PlotTable } from '../frame/plot-table.ts';
import { timeColumn } from '../series/series.ts';
import { findPlace, joinSpans, type Span } from '../series/spans.ts';

/** The number of requests by time and duration: `counts[time][duration]`. */
export interface HeatmapGrid {
  /** Epoch milliseconds. */
  readonly times: readonly Span[];
  /** Ranges in milliseconds, shortest first; the last can be open-ended, with `to` as Infinity. */
  readonly durations: readonly Span[];
  readonly counts: readonly (readonly number[])[];
  readonly most: number;
}

interface Cell {
  readonly time: number;
  readonly duration: number;
  readonly count: number;
}

/** Builds a grid from cells. A cell that is not in `cells` has the count 0. Ignores cells outside the grid. */
export function buildGrid(
  times: readonly Span[],
  durations: readonly Span[],
  cells: readonly Cell[],
): HeatmapGrid {
  const counts = times.map(() => durations.map(() => 0));
  let most = 0;
  for (const { time, duration, count } of cells) {
    const column = counts[time];
    if (column === undefined || column[duration] === undefined) continue;
    column[duration] += count;
    most = Math.max(most, column[duration]);
  }
  return { times, durations, counts, most };
}

/** The position of a cell. */
export interface GridPlace {
  readonly time: number;
  readonly duration: number;
}

/** Two cells at opposite corners of an area, both inclusive. */
export interface GridCorners {
  readonly from: GridPlace;
  readonly to: GridPlace;
}

export interface GridRange {
  readonly time: Span;
  readonly duration: Span;
}

export interface GridArea extends GridRange {
  readonly count: number;
}

/** Returns an instant's position among the columns: 2.5 is the middle of the third column. */
export function findColumn(times: readonly Span[], at: number): number {
  const place = findPlace(times, at);
  const span = times[place];
  return span === undefined ? 0 : place + (at - span.from) / (span.to - span.from);
}

/** Returns the corners of the cells that overlap a range; undefined if the range is outside the grid. */
export function findCorners(grid: HeatmapGrid, { time, duration }: GridRange): GridCorners | undefined {
  const [columns, rows] = [findOverlap(grid.times, time), findOverlap(grid.durations, duration)];
  if (columns === undefined || rows === undefined) return undefined;
  return {
    from: { time: columns.first, duration: rows.first },
    to: { time: columns.last, duration: rows.last },
  };
}

/** Returns the indexes of the first and the last of the spans that overlap a range. */
function findOverlap(spans: readonly Span[], { from, to }: Span) {
  const first = spans.findIndex((span) => span.to > from);
  const last = spans.findLastIndex((span) => span.from < to);
  return first < 0 || last < first ? undefined : { first, last };
}

/** Returns the area between two cells, both inclusive. */
export function findArea(grid: HeatmapGrid, { from: a, to: b }: GridCorners): GridArea | undefined {
  const time = joinSpans(grid.times, a.time, b.time);
  const duration = joinSpans(grid.durations, a.duration, b.duration);
  if (time === undefined || duration === undefined) return undefined;
  let count = 0;
  for (let column = Math.min(a.time, b.time); column <= Math.max(a.time, b.time); column += 1) {
    for (let row = Math.min(a.duration, b.duration); row <= Math.max(a.duration, b.duration); row += 1) {
      count += grid.counts[column]?.[row] ?? 0;
    }
  }
  return { time, duration, count };
}

/** Returns the area of all cells that overlap a range; undefined if the range is outside the grid. */
export function findShownArea(grid: HeatmapGrid, range: GridRange): GridArea | undefined {
  const corners = findCorners(grid, range);
  return corners && findArea(grid, corners);
}

/** Returns the neighbouring cell, or the same cell at the edge of the grid. The longest durations are at the top. */
export function placeBeside(grid: HeatmapGrid, { time, duration }: GridPlace, key: string): GridPlace {
  const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  const across = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  const up = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
  return {
    time: within(time + across, grid.times.length),
    duration: within(duration + up, grid.durations.length),
  };
}

/** Returns a table with a row per non-empty cell. */
export function buildHeatmapTable(grid: HeatmapGrid, writeDuration: (ms: number) => string): PlotTable {
  return {
    columns: [
      timeColumn(grid.times),
      { name: 'Min. duration', unit: 'ms', write: writeDuration },
      { name: 'Requests' },
    ],
    rows: grid.times.flatMap(({ from }, time) =>
      grid.durations.flatMap((span, duration) => {
        const count = grid.counts[time]?.[duration] ?? 0;
        return count === 0 ? [] : [[from, span.from, count]];
      }),
    ),
  };
}
