import { formatCount, formatCounted } from '@throughline/contract';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import classes from './brush-bars.module.css';
import { type Bucket, findRange, isWithin, type Range } from './buckets.ts';
import { describeMarks, findMarksWithin, type TimeMark } from './time-marks.ts';

interface BrushBarsProps {
  /** The accessible name: "Requests over time". */
  readonly label: string;
  readonly buckets: readonly Bucket[];
  /** Formats a value for the axis and for the text description. */
  readonly format: (value: number) => string;
  readonly chosen: Range | undefined;
  /** Moments to mark, for a chart over time. */
  readonly marks?: readonly TimeMark[];
  /** Called when the user selects bars; undefined clears the selection. */
  readonly onChoose: (range: Range | undefined) => void;
}

interface Brush {
  readonly from: number;
  readonly to: number;
}

/**
 * Bar chart with failures stacked in red at the bottom of each bar. The user selects a range of bars by dragging, or with Shift, the arrow
 * keys and Enter.
 */
export function BrushBars({ label, buckets, format, chosen, marks = [], onChoose }: BrushBarsProps) {
  const [brush, setBrush] = useState<Brush>();
  const [drawing, setDrawing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const most = buckets.reduce((max, { total }) => Math.max(max, total), 1);
  const range = brush === undefined ? chosen : findRange(buckets, brush.from, brush.to);
  const findPlace = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined || bounds.width === 0) return 0;
    const share = (event.clientX - bounds.left) / bounds.width;
    return Math.min(buckets.length - 1, Math.max(0, Math.floor(share * buckets.length)));
  };
  const choose = () => {
    setDrawing(false);
    if (brush === undefined) return;
    onChoose(findRange(buckets, brush.from, brush.to));
    setBrush(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) {
      const to = Math.min(
        buckets.length - 1,
        Math.max(0, (brush?.to ?? (by > 0 ? -1 : buckets.length)) + by),
      );
      setBrush({ from: event.shiftKey && brush !== undefined ? brush.from : to, to });
    } else if (event.key === 'Enter') choose();
    else if (event.key === 'Escape' && (brush !== undefined || chosen !== undefined)) {
      setBrush(undefined);
      onChoose(undefined);
    } else return;
    event.preventDefault();
  };
  const [first, last] = [buckets[0], buckets.at(-1)];
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span>{label}</span>
        <span role="status" className={classes.words}>
          {range !== undefined &&
            `${format(range.from)} – ${format(range.to)}: ${describeRange(buckets, range)}`}
        </span>
        {chosen !== undefined && (
          <button type="button" className={classes.clear} onClick={() => onChoose(undefined)}>
            Clear
          </button>
        )}
      </figcaption>
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a chart with keyboard navigation, described by the status above
        tabIndex={0}
        role="application"
        aria-label={`${label}. Arrow keys go from bar to bar, with Shift they choose several; Enter applies, Escape clears.`}
        className={classes.bars}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!drawing) setBrush(undefined);
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrawing(true);
          setBrush({ from: findPlace(event), to: findPlace(event) });
        }}
        onPointerMove={(event) => {
          if (drawing && brush !== undefined) setBrush({ ...brush, to: findPlace(event) });
        }}
        onPointerUp={choose}
        onPointerCancel={() => {
          setDrawing(false);
          setBrush(undefined);
        }}
      >
        {buckets.map((bucket) => (
          <span
            key={bucket.from}
            className={classes.slot}
            data-out={!isWithin(bucket, range)}
            title={`${format(bucket.from)} – ${format(bucket.to)}: ${formatRequests(bucket)}`}
          >
            <span
              className={classes.bar}
              style={{ height: `${((bucket.total - bucket.errors) / most) * 100}%` }}
            />
            <span className={classes.failed} style={{ height: `${(bucket.errors / most) * 100}%` }} />
          </span>
        ))}
        <Marks marks={marks} first={first} last={last} format={format} />
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{first !== undefined && format(first.from)}</span>
        <span>{last !== undefined && format(last.to)}</span>
      </div>
    </figure>
  );
}

interface MarksProps extends Pick<BrushBarsProps, 'format'> {
  readonly marks: readonly TimeMark[];
  readonly first: Bucket | undefined;
  readonly last: Bucket | undefined;
}

/** A line at each marked moment, with its name as a tooltip. */
function Marks({ marks, first, last, format }: MarksProps) {
  if (first === undefined || last === undefined) return null;
  const shown = findMarksWithin(marks, { from: first.from, to: last.to });
  if (shown.length === 0) return null;
  return (
    <>
      <span className="visually-hidden">{describeMarks(shown, format)}</span>
      {shown.map(({ at, name }) => (
        <span
          key={`${at} ${name}`}
          aria-hidden
          className={classes.mark}
          title={`${name} since ${format(at)}`}
          style={{ left: `${((at - first.from) / (last.to - first.from)) * 100}%` }}
        />
      ))}
    </>
  );
}

function describeRange(buckets: readonly Bucket[], range: Range): string {
  const within = buckets.filter((bucket) => isWithin(bucket, range));
  const sum = (pick: (bucket: Bucket) => number) => within.reduce((all, bucket) => all + pick(bucket), 0);
  return formatRequests({ total: sum(({ total }) => total), errors: sum(({ errors }) => errors) });
}

function formatRequests({ total, errors }: Pick<Bucket, 'total' | 'errors'>): string {
  const requests = formatCounted(total, 'request');
  return errors === 0 ? requests : `${requests}, ${formatCount(errors)} failed`;
}
