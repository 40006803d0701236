import { useElementSize, useMergedRef } from '@mantine/hooks';
import { formatDuration } from '@throughline/contract';
import { type PointerEvent, type RefObject, useMemo, useState } from 'react';
import type { Stretch } from '../../steps/analysis/step-extent.ts';
import { findInstantAt, shareAt, type TimeScale } from '../scale/time-scale.ts';
import classes from './axis.module.css';
import { listTicks } from './ticks.ts';

/** A pointer movement of less than this share of the width counts as a click. */
const MIN_DRAG = 0.01;

interface AxisProps {
  readonly scale: TimeScale;
  /** The element with the width of the time axis. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Called when the user drags over a time range; undefined shows the entire duration. */
  readonly onView: (view: Stretch | undefined) => void;
}

/** The time axis of the timeline. Dragging zooms in, a double click zooms out; the buttons next to the axis do the same. */
export function Axis({ scale, box, onView }: AxisProps) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const { ref: measured, width } = useElementSize<HTMLDivElement>();
  const both = useMergedRef(box, measured);
  const ticks = useMemo(() => listTicks(scale, width), [scale, width]);
  const computeShare = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined || bounds.width === 0) return 0;
    return Math.min(1, Math.max(0, (event.clientX - bounds.left) / bounds.width));
  };
  const finish = () => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (to - from >= MIN_DRAG) onView({ fromMs: findInstantAt(scale, from), toMs: findInstantAt(scale, to) });
  };
  return (
    <div
      ref={both}
      className={classes.axis}
      aria-hidden
      title="Drag to zoom in, double-click to zoom out"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: computeShare(event), to: computeShare(event) });
      }}
      onPointerMove={(event) => {
        if (drag !== undefined) setDrag({ ...drag, to: computeShare(event) });
      }}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={() => onView(undefined)}
    >
      {scale
        .filter(({ idle }) => idle)
        .map(({ from, to, fromMs, toMs }) => (
          <span
            key={`gap ${fromMs}`}
            className={classes.gap}
            style={{ left: formatPercent(from), width: formatPercent(to - from) }}
            title={`${formatDuration(toMs - fromMs)} in which steps only waited`}
          />
        ))}
      {ticks.map(({ ms, label, isBefore }) => (
        <span
          key={ms}
          className={classes.tick}
          data-before={isBefore}
          style={{ left: formatPercent(shareAt(scale, ms)) }}
        >
          {label}
        </span>
      ))}
      {drag !== undefined && (
        <span
          className={classes.drawn}
          style={{
            left: formatPercent(Math.min(drag.from, drag.to)),
            width: formatPercent(Math.abs(drag.to - drag.from)),
          }}
        />
      )}
    </div>
  );
}

function formatPercent(share: number): string {
  return `${share * 100}%`;
}
