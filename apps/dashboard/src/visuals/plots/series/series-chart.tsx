import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useCallbackRef, useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { formatStart } from '../../../ui/time/relative-time.ts';
import { describeMarks, findMarksWithin } from '../../charts/time-marks.ts';
import { formatLookColour } from '../frame/plot-colours.ts';
import { PlotFrame } from '../frame/plot-frame.tsx';
import { usePlotGroup } from '../frame/plot-group.tsx';
import { formatSpan } from '../frame/plot-times.ts';
import { buildSeriesTable, type Measure, type PlotSeries, sortByValue } from './series.ts';
import classes from './series-chart.module.css';
import { DRAG_PX, drawSeries, markChosen, PLOT_HEIGHT, pointAt } from './series-plot.ts';
import { findMiddle, findPlace, joinSpans, type Span, selectSpansWithin } from './spans.ts';

interface SeriesChartProps {
  readonly label: string;
  /** Consecutive time ranges. */
  readonly spans: readonly Span[];
  /** The series to draw, at most five. */
  readonly series: readonly PlotSeries[];
  readonly measure: Measure;
  /** The largest possible value, if there is a limit. */
  readonly most?: number;
  readonly empty?: string;
  /** A sentence about the data, below the chart. */
  readonly note?: string | undefined;
  /** Renders a link to the requests counted in the chosen time range. */
  readonly link: (span: Span, place: number) => ReactNode;
}

/**
 * Values over time. All charts of the group share the crosshair. Dragging over a range zooms all charts of the group; a click chooses the
 * time range under the pointer.
 */
export function SeriesChart({ label, spans, series, measure, most, empty, note, link }: SeriesChartProps) {
  const group = usePlotGroup();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => series.filter(({ name }) => !hidden.has(name)), [series, hidden]);
  const table = useMemo(() => buildSeriesTable(spans, series, measure), [spans, series, measure]);
  // The chosen time range is identified by its start, since the indexes of the ranges can change with the data.
  const [chosenFrom, setChosenFrom] = useState<number>();
  const chosen = spans.findIndex(({ from }) => from === chosenFrom);
  const chosenSpan = spans[chosen];
  const place = group.at === undefined ? chosen : findPlace(spans, group.at);
  const span = spans[place];
  const formatValue = ({ values }: PlotSeries) => {
    const value = values[place];
    return span === undefined ? undefined : typeof value === 'number' ? measure.write(value) : '–';
  };
  return (
    <PlotFrame
      label={label}
      words={
        span && `${formatSpan(span)}: ${shown.map((each) => `${each.name} ${formatValue(each)}`).join(', ')}`
      }
      legend={sortByValue(series).map((each) => ({
        name: each.name,
        look: each.look,
        isBar: each.kind === 'bars',
        isThin: each.previousOf !== undefined,
        text: formatValue(each),
        hidden: hidden.has(each.name),
        ...(series.length < 2
          ? {}
          : {
              onToggle: () =>
                setHidden((before) => {
                  const after = new Set(before);
                  if (!after.delete(each.name)) after.add(each.name);
                  return after;
                }),
            }),
      }))}
      table={
        spans.length === 0 || series.every(({ values }) => values.every((value) => value === null))
          ? { ...table, rows: [] }
          : table
      }
      {...(empty === undefined ? {} : { empty })}
      note={note}
      actions={chosenSpan && link(chosenSpan, chosen)}
    >
      <Picture
        label={label}
        spans={spans}
        series={shown}
        measure={measure}
        most={most}
        place={place}
        chosen={chosenSpan}
        onChoose={(at) => setChosenFrom(at === chosen ? undefined : spans[at]?.from)}
      />
    </PlotFrame>
  );
}

interface PictureProps extends Pick<SeriesChartProps, 'label' | 'spans' | 'series' | 'measure'> {
  readonly most: number | undefined;
  /** The index of the time range under the pointer; -1 if there is none. */
  readonly place: number;
  readonly chosen: Span | undefined;
  /** Chooses a time range. Choosing the same range again, or -1, clears the choice. */
  readonly onChoose: (place: number) => void;
}

function Picture({ label, spans, series, measure, most, place, chosen: chosenSpan, onChoose }: PictureProps) {
  const { point, zoom, onZoom, marks } = usePlotGroup();
  const { ref, width } = useElementSize();
  const scheme = useComputedColorScheme('light');
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const [hovered, setHovered] = useState(false);
  const [anchor, setAnchor] = useState<number>();
  const pressedAt = useRef(0);
  const zoomTo = useCallbackRef((range: Span | undefined) => {
    if (range === undefined) return onZoom(undefined);
    onZoom(joinSpans(spans, findPlace(spans, range.from), findPlace(spans, range.to - 1)));
  });
  const pointTo = useCallbackRef((index: number | undefined) => {
    const span = index === undefined ? undefined : spans[index];
    point(span === undefined ? undefined : findMiddle(span));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the other scheme has other colours
  useEffect(() => {
    const into = box.current;
    if (into === null) return;
    const style = getComputedStyle(into);
    const plot = drawSeries(
      into,
      {
        spans,
        series,
        measure,
        marks,
        most,
        colour: (token) => style.getPropertyValue(token).trim(),
        onPoint: pointTo,
        onChoose: zoomTo,
      },
      zoom,
    );
    drawn.current = plot;
    return () => {
      drawn.current = undefined;
      plot.destroy();
    };
  }, [spans, series, measure, marks, most, zoom, scheme, pointTo, zoomTo]);

  useEffect(() => {
    if (width > 0) drawn.current?.setSize({ width, height: PLOT_HEIGHT });
  }, [width]);

  useEffect(() => {
    if (!hovered && drawn.current !== undefined) pointAt(drawn.current, spans[place]);
  }, [hovered, place, spans]);

  const stretch = anchor === undefined ? undefined : joinSpans(spans, anchor, place);
  const marked = stretch ?? chosenSpan;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing needs its marks again
  useEffect(() => {
    if (drawn.current !== undefined) markChosen(drawn.current, marked);
  }, [marked, marks, spans, series, zoom, scheme, width]);

  const onKeyDown = (event: KeyboardEvent) => {
    const within = selectSpansWithin(spans, zoom);
    const first = findPlace(spans, within[0]?.from ?? 0);
    const last = first + within.length - 1;
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) {
      if (!event.shiftKey) setAnchor(undefined);
      else if (anchor === undefined) setAnchor(place < 0 ? first : place);
      pointTo(place < 0 ? (by > 0 ? first : last) : Math.min(last, Math.max(first, place + by)));
    } else if (event.key === 'Home') pointTo(first);
    else if (event.key === 'End') pointTo(last);
    else if (event.key === 'Enter' && stretch !== undefined) {
      setAnchor(undefined);
      zoomTo(stretch);
    } else if (event.key === 'Enter' && place >= 0) onChoose(place);
    else if (event.key === 'Escape' && anchor !== undefined) setAnchor(undefined);
    else if (event.key === 'Escape' && chosenSpan !== undefined) onChoose(-1);
    else if (event.key === 'Escape' && zoom !== undefined) zoomTo(undefined);
    else return;
    event.preventDefault();
  };
  const tip = hovered ? spans[place] : undefined;
  const shownMarks = findMarksWithin(marks, zoom ?? { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 });
  return (
    <div
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a chart with keyboard navigation, described by the text above
      tabIndex={0}
      role="application"
      aria-label={`${label}. Arrow keys go through time, with Shift they choose a stretch; Enter zooms to it, or chooses a single point; Escape goes back.`}
      className={classes.plot}
      onKeyDown={onKeyDown}
      onPointerEnter={() => setHovered(true)}
      onPointerDown={({ clientX }) => {
        pressedAt.current = clientX;
      }}
      onClick={({ clientX }) => {
        const pointed = drawn.current?.cursor.idx;
        if (typeof pointed === 'number' && Math.abs(clientX - pressedAt.current) < DRAG_PX) onChoose(pointed);
      }}
      onPointerLeave={() => {
        setHovered(false);
        pointTo(undefined);
      }}
      onBlur={() => {
        setAnchor(undefined);
        pointTo(undefined);
      }}
    >
      <div ref={box} />
      {shownMarks.length > 0 && <p className="visually-hidden">{describeMarks(shownMarks, formatStart)}</p>}
      {tip !== undefined && (
        <Tip span={tip} series={series} place={place} measure={measure} plot={drawn.current} />
      )}
    </div>
  );
}

interface TipProps extends Pick<PictureProps, 'series' | 'measure' | 'place'> {
  readonly span: Span;
  readonly plot: uPlot | undefined;
}

/** Shows the values at the pointer, on the side of the pointer with more space. */
function Tip({ span, series, place, measure, plot }: TipProps) {
  if (plot === undefined) return null;
  const left = plot.valToPos(findMiddle(span), 'x') + plot.over.offsetLeft;
  const onLeft = left > plot.width / 2;
  return (
    <div
      className={classes.tip}
      aria-hidden
      style={onLeft ? { right: plot.width - left + 12 } : { left: left + 12 }}
    >
      <strong>{formatSpan(span)}</strong>
      <table>
        <tbody>
          {sortByValue(series).map(({ name, values, look, previousOf }) => (
            <tr key={name}>
              <td>
                <span
                  className={classes.dot}
                  data-previous={previousOf !== undefined}
                  style={{ color: formatLookColour(look) }}
                />
                {name}
              </td>
              <td>{typeof values[place] === 'number' ? measure.write(values[place]) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
