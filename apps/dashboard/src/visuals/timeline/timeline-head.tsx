import { Switch } from '@mantine/core';
import { formatDuration } from '@throughline/contract';
import type { RefObject } from 'react';
import { Axis } from './axis/axis.tsx';
import { formatRange } from './axis/ticks.ts';
import { ZoomButtons } from './axis/zoom-buttons.tsx';
import type { TimeScale } from './scale/time-scale.ts';
import classes from './timeline.module.css';
import type { Zoom } from './use-zoom.ts';

interface TimelineHeadProps {
  /** The scale of the entire duration, with idle ranges shortened. */
  readonly compressed: TimeScale;
  readonly compress: boolean;
  readonly onCompress: (compress: boolean) => void;
  readonly zoom: Zoom;
  readonly axis: RefObject<HTMLDivElement | null>;
}

/** The fixed part above the rows: the range of time that the rows show, and the time axis. */
export function TimelineHead({ compressed, compress, onCompress, zoom, axis }: TimelineHeadProps) {
  const idleMs = compressed.reduce((sum, { idle, fromMs, toMs }) => sum + (idle ? toMs - fromMs : 0), 0);
  return (
    <div className={classes.head}>
      <div className={classes.tools}>
        {idleMs > 0 && (
          <Switch
            size="xs"
            label={`Compress idle ${formatDuration(idleMs)}`}
            checked={compress}
            onChange={(event) => onCompress(event.currentTarget.checked)}
          />
        )}
        <p role="status" className={classes.range}>
          {zoom.isZoomed && `Showing ${formatRange(zoom.scale)}`}
        </p>
        <ZoomButtons zoomed={zoom.isZoomed} onZoom={zoom.zoomBy} />
      </div>
      <div className={`${classes.line} ${classes.headLine}`}>
        <span className={classes.title}>Step</span>
        <Axis scale={zoom.scale} box={axis} onView={zoom.show} />
        <span className={`${classes.title} ${classes.duration}`}>Duration</span>
      </div>
    </div>
  );
}

/** Returns the CSS background that shows the compressed ranges as shaded bands behind the bars of all rows. */
export function drawIdleBands(scale: TimeScale): string {
  const stops = scale
    .filter(({ idle }) => idle)
    .flatMap(({ from, to }) => [
      `transparent ${formatPercent(from)}`,
      `var(--surface-shade) ${formatPercent(from)} ${formatPercent(to)}`,
      `transparent ${formatPercent(to)}`,
    ]);
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`;
}

function formatPercent(share: number): string {
  return `${share * 100}%`;
}
