import { durationTone, type TraceRow } from '@throughline/contract';
import { memo } from 'react';
import { toneColour } from '../../shell/tones.ts';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/badges.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { quoteless } from '../../visuals/values/quoteless.ts';
import classes from './trace-table.module.css';

interface RequestCellsProps {
  readonly row: TraceRow;
  /** What a full duration bar stands for. Milliseconds. */
  readonly scaleMs: number;
}

/** The cells that every list has: Method, Path, Status, Duration, Timestamp. Drawn once, however the list scrolls. */
export const RequestCells = memo(({ row, scaleMs }: RequestCellsProps) => {
  const { request, response, timing } = row;
  const { path, route } = request;
  return (
    <>
      <td className={classes.method}>
        <MethodBadge method={quoteless(request.method)} />
      </td>
      <td className={classes.path}>
        <span className={classes.pathText} title={path}>
          {quoteless(path)}
        </span>
        {route !== null && route !== path && (
          <span className={classes.route} title={`Route ${route}`}>
            {quoteless(route)}
          </span>
        )}
      </td>
      <td className={classes.status}>
        <StatusBadge statusCode={response.statusCode} />
      </td>
      <td className={classes.duration}>
        <DurationText ms={timing.duration} />
        <span className={classes.track} aria-hidden>
          <span
            className={classes.bar}
            style={{
              width: `${scaleMs > 0 ? Math.min(100, (timing.duration / scaleMs) * 100) : 0}%`,
              background: toneColour(durationTone(timing.duration), 'fill'),
            }}
          />
        </span>
      </td>
      <td className={classes.time}>
        <Timestamp at={timing.startTime} />
      </td>
    </>
  );
});
