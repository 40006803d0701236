import type { Trace, TraceRow, UsualDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { DurationText, MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { UsualDurationText } from '../opening/usual-duration.tsx';
import { ContextChips } from './context-chips.tsx';
import classes from './trace-dialog.module.css';

export interface TraceInWords {
  /** Undefined until something is known of the trace. */
  readonly row: TraceRow | undefined;
  /** Known once the trace is loaded. */
  readonly service: Pick<Trace, 'serviceVersion' | 'instance'> | undefined;
  /** The usual duration of requests to its endpoint. */
  readonly usual: UsualDuration | undefined;
}

interface TraceHeaderProps extends TraceInWords {
  /** A page's title is `h1`; a dialog's, on a page that has its own, `h2`. */
  readonly heading: 'h1' | 'h2';
  /** The actions on this trace, and the navigation. */
  readonly children: ReactNode;
}

/** Which request it is, and what can be done with it. */
export function TraceHeader({ row, service, usual, heading, children }: TraceHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.what}>
        {row !== undefined && <What row={row} service={service} usual={usual} heading={heading} />}
      </div>
      <div className={classes.ways}>{children}</div>
    </header>
  );
}

function What({
  row,
  service,
  usual,
  heading: Heading,
}: Omit<TraceHeaderProps, 'row' | 'children'> & { readonly row: TraceRow }) {
  return (
    <>
      <MethodBadge method={escapeControlCharacters(row.request.method)} />
      <Heading className={classes.path} title={escapeControlCharacters(row.request.path)}>
        {escapeControlCharacters(row.request.path)}
      </Heading>
      <StatusBadge statusCode={row.response.statusCode} hasError={row.error.hasError} />
      <DurationText ms={row.timing.duration} />
      <UsualDurationText durationMs={row.timing.duration} usual={usual} />
      <span className={classes.dim}>
        <Timestamp at={row.timing.startTime} show="full" />
      </span>
      <ContextChips row={row} service={service} />
    </>
  );
}
