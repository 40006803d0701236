import type { PlotTable } from '../frame/plot-table.ts';
import { timeColumn } from '../series/series.ts';
import { type Span, spanOver } from '../series/spans.ts';

/** The number of requests by time and duration: `counts[time][duration]`. */
export interface HeatmapGrid {
  /** Epoch milliseconds. */
  readonly times: readonly Span[];
  /** Milliseconds, the shortest first; the last may be open: `to` is Infinity. */
  readonly durations: readonly Span[];
  readonly counts: readonly (readonly number[])[];
  readonly most: number;
}

interface Cell {
  readonly time: number;
  readonly duration: number;
  readonly count: number;
}

/** Puts cells, of which empty ones may be left out, into a grid. What lies outside of it is left out. */
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

/** A cell by its place. */
export interface GridPlace {
  readonly time: number;
  readonly duration: number;
}

export interface GridArea {
  readonly time: Span;
  readonly duration: Span;
  readonly count: number;
}

/** All cells between two, both included. */
export function findArea(grid: HeatmapGrid, a: GridPlace, b: GridPlace): GridArea | undefined {
  const time = spanOver(grid.times, a.time, b.time);
  const duration = spanOver(grid.durations, a.duration, b.duration);
  if (time === undefined || duration === undefined) return undefined;
  let count = 0;
  for (let column = Math.min(a.time, b.time); column <= Math.max(a.time, b.time); column += 1) {
    for (let row = Math.min(a.duration, b.duration); row <= Math.max(a.duration, b.duration); row += 1) {
      count += grid.counts[column]?.[row] ?? 0;
    }
  }
  return { time, duration, count };
}

/** The cell beside this one, or this one at the grid's edge; the longest durations lie on top. */
export function placeBeside(grid: HeatmapGrid, { time, duration }: GridPlace, key: string): GridPlace {
  const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  const across = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  const up = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
  return {
    time: within(time + across, grid.times.length),
    duration: within(duration + up, grid.durations.length),
  };
}

/** A row for each cell that is not empty. */
export function heatmapTable(grid: HeatmapGrid, writeDuration: (ms: number) => string): PlotTable {
  return {
    columns: [
      timeColumn(grid.times),
      { name: 'Duration from', unit: 'ms', write: writeDuration },
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
