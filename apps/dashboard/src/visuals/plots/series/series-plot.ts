import uPlot from 'uplot';
import { findMarksWithin, type TimeMark } from '../../charts/time-marks.ts';
import { formatTicks } from '../frame/plot-times.ts';
import { findPointsAlone } from './points-alone.ts';
import { computeValueRange, findValueSteps, type Measure, type PlotSeries } from './series.ts';
import { findMiddle, type Span } from './spans.ts';

export const PLOT_HEIGHT = 200;
/** A press that moves at least this far is a drag over a range. */
export const DRAG_PX = 4;

/** Limits the width of bars when there are few time ranges. Pixels. */
const WIDEST_BAR = 48;
const AXIS_FAMILY = "'Inter Variable', system-ui, sans-serif";
const AXIS_FONT = `11px ${AXIS_FAMILY}`;

interface SeriesPlot {
  readonly spans: readonly Span[];
  readonly series: readonly PlotSeries[];
  readonly measure: Measure;
  readonly marks: readonly TimeMark[];
  /** The largest possible value, if there is a limit: 100 for percentages. */
  readonly most?: number | undefined;
  /** Resolves a colour token of the theme, such as `--tone-blue-fill`. */
  readonly colour: (token: string) => string;
  readonly onPoint: (place: number | undefined) => void;
  readonly onChoose: (range: Span) => void;
}

/** Draws series over time into an element, whose width must be known. To remove the chart, call `destroy` on the returned plot. */
export function drawSeries(into: HTMLElement, plot: SeriesPlot, zoom: Span | undefined): uPlot {
  const { spans, series, measure, colour } = plot;
  const axis: uPlot.Axis = {
    stroke: colour('--surface-dim'),
    font: AXIS_FONT,
    grid: { stroke: colour('--surface-line'), width: 1 },
    ticks: { show: false },
  };
  return new uPlot(
    {
      width: Math.max(1, into.clientWidth),
      height: PLOT_HEIGHT,
      padding: [8, 20, 0, 0],
      ms: 1,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false, dist: DRAG_PX }, points: { size: 7 } },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: {
        x: { time: true, range: () => findEnds(spans, zoom) },
        y: { range: (_plot, _least, greatest) => computeValueRange(greatest, plot.most) },
      },
      axes: [
        { ...axis, size: 24, gap: 4, values: (_plot, splits) => [...formatTicks(splits)] },
        {
          ...axis,
          size: (_plot, labels) => Math.max(36, ...(labels ?? []).map((label) => label.length * 6.5 + 12)),
          gap: 4,
          ...findValueSteps(series),
          values: (_plot, splits) => splits.map((split) => measure.write(split)),
        },
      ],
      series: [{}, ...series.map((each) => buildSeriesOptions(each, colour))],
      hooks: {
        draw: [(drawn) => drawMarks(drawn, plot)],
        setCursor: [({ cursor }) => plot.onPoint(cursor.idx ?? undefined)],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select;
            if (width <= 0) return;
            plot.onChoose({ from: drawn.posToVal(left, 'x'), to: drawn.posToVal(left + width, 'x') });
            drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    },
    [spans.map(findMiddle), ...series.map(({ values }) => [...values])],
    into,
  );
}

function buildSeriesOptions(
  { name, look, kind, previousOf }: PlotSeries,
  colour: (token: string) => string,
): uPlot.Series {
  const fill = colour(look.isOnBars === true ? '--surface-text' : `--tone-${look.tone}-fill`);
  const shared = { label: name, stroke: fill, width: 1.75, points: { size: 5, fill, filter: shownPoints } };
  if (kind === 'line') {
    const line = look.dash === undefined ? shared : { ...shared, dash: [...look.dash] };
    if (previousOf === undefined) return line;
    return { ...line, width: 1, points: { ...shared.points, size: 4, filter: pointsAlone } };
  }
  const paths = uPlot.paths.bars?.({ size: [0.85, WIDEST_BAR] });
  return { ...shared, width: 0, fill, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
}

/** The space for the name of a mark. A mark without that space has only its line. CSS pixels. */
const MARK_NAME_PX = 64;

/** Draws a line with a name at each mark. */
function drawMarks(drawn: uPlot, { marks, colour }: SeriesPlot): void {
  const { ctx, bbox, scales } = drawn;
  const { min: from, max: to } = scales.x ?? {};
  if (typeof from !== 'number' || typeof to !== 'number') return;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = colour('--surface-chosenText');
  ctx.fillStyle = colour('--surface-chosenText');
  ctx.font = `${11 * ratio}px ${AXIS_FAMILY}`;
  ctx.textBaseline = 'top';
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 2 * ratio]);
  const nameWidth = MARK_NAME_PX * ratio;
  let nameEnd = Number.NEGATIVE_INFINITY;
  for (const { at, name } of findMarksWithin(marks, { from, to })) {
    const x = drawn.valToPos(at, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    // At the right edge, the name is on the left of its line.
    const isAtEdge = x + nameWidth > bbox.left + bbox.width;
    const [start, end] = isAtEdge ? [x - nameWidth, x] : [x, x + nameWidth];
    if (start < nameEnd) continue;
    nameEnd = end;
    ctx.textAlign = isAtEdge ? 'right' : 'left';
    ctx.fillText(shorten(name), x + (isAtEdge ? -4 : 4) * ratio, bbox.top);
  }
  ctx.restore();
}

const MARK_NAME_CHARACTERS = 10;

function shorten(name: string): string {
  const characters = [...name];
  return characters.length <= MARK_NAME_CHARACTERS
    ? name
    : `${characters.slice(0, MARK_NAME_CHARACTERS - 1).join('')}…`;
}

/** Draws only points without a neighbour, to which no line can be drawn. */
const pointsAlone: uPlot.Series.Points.Filter = (drawn, series) =>
  findPointsAlone([...(drawn.data[series] ?? [])]);

/** Draws all points if there is space for them, otherwise only points without a neighbour, to which no line can be drawn. */
const shownPoints: uPlot.Series.Points.Filter = (drawn, series, areShown, gaps) =>
  areShown ? null : pointsAlone(drawn, series, areShown, gaps);

/** Returns the start and end of the time axis. */
function findEnds(spans: readonly Span[], zoom: Span | undefined): [number, number] {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 1];
  return zoom === undefined ? [from, to] : [Math.max(from, zoom.from), Math.min(to, zoom.to)];
}

/** Moves the crosshair to a time range, or hides it, without notifying listeners. */
export function pointAt(drawn: uPlot, span: Span | undefined): void {
  const left = span === undefined ? -10 : drawn.valToPos(findMiddle(span), 'x');
  drawn.setCursor({ left, top: span === undefined ? -10 : 0 }, false);
}

/** Marks a time range as chosen, or removes the mark if `range` is undefined, without notifying listeners. */
export function markChosen(drawn: uPlot, range: Span | undefined): void {
  const left = range === undefined ? 0 : drawn.valToPos(range.from, 'x');
  const width = range === undefined ? 0 : drawn.valToPos(range.to, 'x') - left;
  drawn.setSelect({ left, top: 0, width, height: drawn.over.clientHeight }, false);
}
