import type { TraceRow, UsualDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { DurationText, MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { ContextChips, DateChip } from '../context/context-chips.tsx';
import type { LoadedContext } from '../context/list-chips.ts';
import { UsualDurationText } from '../opening/usual-duration.tsx';
import classes from './trace-dialog.module.css';

export interface TraceInWords {
  /** Undefined until some data of the trace is loaded. */
  readonly row: TraceRow | undefined;
  /** Undefined until the trace is loaded. */
  readonly context: LoadedContext | undefined;
  /** The usual duration of requests to the same endpoint. */
  readonly usual: UsualDuration | undefined;
}

interface TraceHeaderProps extends TraceInWords {
  /** The title is `h1` on a page and `h2` in a dialog, whose page has its own `h1`. */
  readonly heading: 'h1' | 'h2';
  /** The trace's actions, and the navigation. */
  readonly children: ReactNode;
}

/** Shows the request and the actions for it. */
export function TraceHeader({ row, context, usual, heading, children }: TraceHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.what}>
        {row !== undefined && <What row={row} context={context} usual={usual} heading={heading} />}
      </div>
      <div className={classes.ways} data-toolbar>
        {children}
      </div>
    </header>
  );
}

function What({
  row,
  context,
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
      <DateChip row={row} />
      <ContextChips row={row} loaded={context} />
    </>
  );
}
