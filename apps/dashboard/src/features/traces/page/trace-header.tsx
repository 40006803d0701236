import { Skeleton } from '@mantine/core';
import type { EndpointDurations, TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { DurationText, MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { ContextChips, DateChip } from '../context/context-chips.tsx';
import type { LoadedContext } from '../context/list-chips.ts';
import placeClasses from '../distribution/distribution.module.css';
import { DurationPlace } from '../distribution/duration-place.tsx';
import { UsualDurationText } from '../opening/usual-duration.tsx';
import classes from './trace-dialog.module.css';

export interface TraceInWords {
  /** Undefined until some data of the trace is loaded. */
  readonly row: TraceRow | undefined;
  /** Undefined until the trace is loaded. */
  readonly context: LoadedContext | undefined;
  /** The durations of other requests to the same endpoint; undefined if unknown. */
  readonly usual: EndpointDurations | 'loading' | undefined;
}

interface TraceHeaderProps extends TraceInWords {
  /** The title is `h1` on a page and `h2` in a dialog, whose page has its own `h1`. */
  readonly heading: 'h1' | 'h2';
  /** True while the trace is loading and nothing about it is known. */
  readonly isWaiting?: boolean;
  /** The trace's actions, and the navigation. */
  readonly children: ReactNode;
}

/** Shows the request (such as its method, path, status and duration), and the buttons in `children`. */
export function TraceHeader({ row, context, usual, heading, isWaiting, children }: TraceHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.what}>
        {row !== undefined && <What row={row} context={context} usual={usual} heading={heading} />}
        {row === undefined && isWaiting === true && <Skeleton height={14} w="min(320px, 80%)" aria-hidden />}
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
}: Omit<TraceHeaderProps, 'row' | 'isWaiting' | 'children'> & { readonly row: TraceRow }) {
  return (
    <>
      <MethodBadge method={escapeControlCharacters(row.request.method)} />
      <Heading className={classes.path} title={escapeControlCharacters(row.request.path)}>
        {escapeControlCharacters(row.request.path)}
      </Heading>
      <StatusBadge statusCode={row.response.statusCode} hasError={row.error.hasError} />
      <DurationText ms={row.timing.duration} />
      <Place row={row} usual={usual} />
      <DateChip row={row} />
      <ContextChips row={row} loaded={context} />
    </>
  );
}

/**
 * Compares the request's duration with the durations of other requests to its endpoint. While the other durations load, renders an empty
 * element of the same size.
 */
function Place({ row, usual }: Pick<TraceHeaderProps, 'usual'> & { readonly row: TraceRow }) {
  if (usual === 'loading') return <span className={placeClasses.place} aria-hidden />;
  const distribution = usual?.distribution ?? undefined;
  return usual === undefined || distribution === undefined ? (
    <UsualDurationText durationMs={row.timing.duration} usual={usual} />
  ) : (
    <DurationPlace row={row} usual={usual} distribution={distribution} />
  );
}
