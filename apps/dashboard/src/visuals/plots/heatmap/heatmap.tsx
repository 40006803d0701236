import { formatCounted, formatDuration } from '@throughline/contract';
import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useState } from 'react';
import { useWidth } from '../../../ui/hooks/use-width.ts';
import { formatStart } from '../../../ui/time/relative-time.ts';
import { describeMarks, findMarksWithin } from '../../charts/time-marks.ts';
import { computeShade } from '../frame/plot-colours.ts';
import { PlotFrame } from '../frame/plot-frame.tsx';
import { usePlotGroup } from '../frame/plot-group.tsx';
import { formatSpan, formatTicks } from '../frame/plot-times.ts';
import { findMiddle, findPlace } from '../series/spans.ts';
import classes from './heatmap.module.css';
import {
  buildHeatmapTable,
  findArea,
  findColumn,
  findCorners,
  type GridArea,
  type GridCorners,
  type GridPlace,
  type GridRange,
  type HeatmapGrid,
  placeBeside,
} from './heatmap-grid.ts';
import { findTicks } from './heatmap-ticks.ts';

const LEFT_PX = 56;
const FOOT_PX = 20;
const ROW_PX = 12;
/** The space that an axis label needs. Pixels. */
const MARK_PX = 72;
const MARK_ROWS = 3;

interface HeatmapProps {
  readonly label: string;
  readonly grid: HeatmapGrid;
  readonly empty?: string;
  /** A sentence below the chart. */
  readonly note?: string;
  readonly chosen: GridRange | undefined;
  /** Called when the user selects cells; undefined clears the selection. */
  readonly onChoose: (area: GridArea | undefined) => void;
  /** Renders a link to the requests of the selected cells. */
  readonly link: (area: GridArea) => ReactNode;
}

/** A heatmap of requests by time and duration: the more requests, the stronger the colour. Dragging over cells selects their requests. */
export function Heatmap({ label, grid, empty, note, chosen, onChoose, link }: HeatmapProps) {
  const { ref, width } = useWidth();
  const { at, point, marks } = usePlotGroup();
  const shownMarks = findMarksWithin(marks, {
    from: grid.times[0]?.from ?? 0,
    to: grid.times.at(-1)?.to ?? 0,
  });
  /** The cells that the user is about to select. */
  const [draft, setDraft] = useState<GridCorners>();
  const [drawing, setDrawing] = useState(false);
  const [pointed, setPointed] = useState<GridPlace>();
  const inner = { width: Math.max(1, width - LEFT_PX), height: grid.durations.length * ROW_PX };
  const cell = { width: inner.width / Math.max(1, grid.times.length), height: ROW_PX };
  const chosenCorners = chosen && findCorners(grid, chosen);
  const chosenArea = chosenCorners && findArea(grid, chosenCorners);
  const corners = draft ?? chosenCorners;
  const pointedCorners = pointed && { from: pointed, to: pointed };
  const describedCorners = draft ?? pointedCorners ?? chosenCorners;
  const described = describedCorners && findArea(grid, describedCorners);

  const placeUnder = (event: PointerEvent): GridPlace => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(value)));
    return {
      time: within((event.clientX - bounds.left - LEFT_PX) / cell.width, grid.times.length),
      duration:
        grid.durations.length - 1 - within((event.clientY - bounds.top) / cell.height, grid.durations.length),
    };
  };
  const pointTo = (place: GridPlace | undefined) => {
    setPointed(place);
    const span = place && grid.times[place.time];
    point(span && findMiddle(span));
  };
  const choose = (cells: GridCorners) => {
    setDraft(undefined);
    onChoose(findArea(grid, cells));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow')) {
      const start = pointed ?? { time: grid.times.length - 1, duration: 0 };
      const next = pointed === undefined ? start : placeBeside(grid, start, event.key);
      pointTo(next);
      setDraft(event.shiftKey ? { from: draft?.from ?? start, to: next } : undefined);
    } else if (event.key === 'Enter' && pointedCorners !== undefined) choose(draft ?? pointedCorners);
    else if (event.key === 'Escape' && corners !== undefined) {
      setDraft(undefined);
      onChoose(undefined);
    } else return;
    event.preventDefault();
  };
  const crosshair = at === undefined ? -1 : findPlace(grid.times, at);
  return (
    <PlotFrame
      label={label}
      words={described && describeArea(described)}
      keepsWordsSpace
      actions={chosenArea !== undefined && chosenArea.count > 0 && link(chosenArea)}
      table={buildHeatmapTable(grid, formatDuration)}
      note={note}
      {...(empty === undefined ? {} : { empty })}
    >
      <div
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a chart with keyboard navigation, described by the text above
        tabIndex={0}
        role="application"
        aria-label={`${label}. Arrow keys go from cell to cell, with Shift they choose several; Enter applies, Escape clears.`}
        className={classes.map}
        onKeyDown={onKeyDown}
        onBlur={() => {
          pointTo(undefined);
          if (!drawing) setDraft(undefined);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const place = placeUnder(event);
          setDrawing(true);
          setDraft({ from: place, to: place });
        }}
        onPointerMove={(event) => {
          const place = placeUnder(event);
          pointTo(place);
          if (drawing) setDraft((before) => before && { from: before.from, to: place });
        }}
        onPointerUp={(event) => {
          setDrawing(false);
          if (drawing && draft !== undefined) choose({ from: draft.from, to: placeUnder(event) });
        }}
        onPointerCancel={() => {
          setDrawing(false);
          setDraft(undefined);
        }}
        onPointerLeave={() => pointTo(undefined)}
      >
        <svg data-plot width={width} height={inner.height + FOOT_PX} className={classes.picture} aria-hidden>
          <Cells grid={grid} width={cell.width} />
          {shownMarks.map((mark) => {
            const x = LEFT_PX + findColumn(grid.times, mark.at) * cell.width;
            return (
              <line
                key={`${mark.at} ${mark.name}`}
                x1={x}
                x2={x}
                y2={inner.height}
                className={classes.release}
              >
                <title>{mark.name}</title>
              </line>
            );
          })}
          {crosshair >= 0 && (
            <line
              x1={LEFT_PX + (crosshair + 0.5) * cell.width}
              x2={LEFT_PX + (crosshair + 0.5) * cell.width}
              y2={inner.height}
              className={classes.crosshair}
            />
          )}
          {corners !== undefined && (
            <rect {...computeBox(grid, corners, cell.width)} className={classes.chosen} />
          )}
        </svg>
        {shownMarks.length > 0 && <p className="visually-hidden">{describeMarks(shownMarks, formatStart)}</p>}
      </div>
      <p className={classes.scale} aria-hidden>
        1
        <span className={classes.shades} />
        {formatCounted(grid.most, 'request')}
      </p>
    </PlotFrame>
  );
}

function describeArea({ time, duration, count }: GridArea): string {
  const durations = Number.isFinite(duration.to)
    ? `${formatDuration(duration.from)} – ${formatDuration(duration.to)}`
    : `${formatDuration(duration.from)} and longer`;
  return `${formatSpan(time)}, ${durations}: ${formatCounted(count, 'request')}`;
}

function computeBox(grid: HeatmapGrid, { from: a, to: b }: GridCorners, cellWidth: number) {
  const [left, right] = [Math.min(a.time, b.time), Math.max(a.time, b.time) + 1];
  const top = grid.durations.length - 1 - Math.max(a.duration, b.duration);
  const rows = Math.abs(a.duration - b.duration) + 1;
  return {
    x: LEFT_PX + left * cellWidth,
    y: top * ROW_PX,
    width: (right - left) * cellWidth,
    height: rows * ROW_PX,
  };
}

/** Memoized, so that the cells are drawn again when the data changes, not for each pointer move. */
const Cells = memo(({ grid, width }: { readonly grid: HeatmapGrid; readonly width: number }) => {
  const { times, durations, counts, most } = grid;
  const ticks = findTicks(times, Math.ceil(MARK_PX / width));
  const tickTexts = formatTicks(ticks.map((column) => times[column]?.from ?? 0));
  const texts = new Map(ticks.map((column, place) => [column, tickTexts[place]]));
  const height = durations.length * ROW_PX;
  return (
    <>
      <rect
        x={LEFT_PX}
        width={Math.max(0, times.length * width)}
        height={height}
        className={classes.ground}
      />
      {durations.map(
        ({ from }, row) =>
          row % MARK_ROWS === 0 && (
            <text
              key={from}
              x={LEFT_PX - 8}
              y={height - row * ROW_PX - 2}
              textAnchor="end"
              className={classes.mark}
            >
              {formatDuration(from)}
            </text>
          ),
      )}
      {times.map(({ from }, column) => (
        <g key={from}>
          {texts.has(column) && (times.length - column) * width >= MARK_PX / 2 && (
            <text x={LEFT_PX + column * width} y={height + 14} className={classes.mark}>
              {texts.get(column)}
            </text>
          )}
          {durations.map((duration, row) => {
            const count = counts[column]?.[row] ?? 0;
            return (
              count > 0 && (
                <rect
                  key={duration.from}
                  x={LEFT_PX + column * width}
                  y={height - (row + 1) * ROW_PX}
                  width={Math.max(1, width - 0.5)}
                  height={ROW_PX - 0.5}
                  fillOpacity={computeShade(count, most)}
                  className={classes.cell}
                />
              )
            );
          })}
        </g>
      ))}
    </>
  );
});
