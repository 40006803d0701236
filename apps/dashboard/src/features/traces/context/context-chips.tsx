import type { TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import type { ViewParams } from '../../../shell/url-state/search-params.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { FilterLinks } from '../../trace-list/index.ts';
import { useHasSession } from '../data/trace-calls.ts';
import classes from '../page/trace-dialog.module.css';
import { AROUND_TEXT, findChipFilter, type LoadedContext, listChips, searchAround } from './list-chips.ts';

interface ContextChipsProps {
  readonly row: TraceRow;
  /** Undefined until the trace is loaded. */
  readonly loaded: LoadedContext | undefined;
}

interface ChipProps extends Pick<ContextChipsProps, 'row'> {
  readonly search: ViewParams;
  readonly title: string;
  readonly children: ReactNode;
}

/** A value of a request as a link to the requests that `search` selects. Viewers without a session see plain text. */
function Chip({ row, search, title, children }: ChipProps) {
  const isSignedIn = useHasSession();
  if (!isSignedIn) return <span className={classes.dim}>{children}</span>;
  return (
    <AnchorLink
      to="/dashboard"
      search={{ project: row.projectId, ...search }}
      className={classes.chip}
      title={title}
    >
      {children}
    </AnchorLink>
  );
}

/**
 * The context of a request; each item is a link to all requests that share the item, with a button that leads to the other requests of the
 * project.
 */
export function ContextChips({ row, loaded }: ContextChipsProps) {
  const isSignedIn = useHasSession();
  return listChips(row, loaded).map((chip) => (
    <span key={chip.name} className={classes.chipWithButton}>
      <Chip
        row={row}
        search={chip.search}
        // The tooltip contains the whole text, because a long text ends in an ellipsis on the chip.
        title={`All requests with the same ${escapeControlCharacters(chip.name)}: ${escapeControlCharacters(chip.wholeText ?? chip.text)}`}
      >
        {escapeControlCharacters(chip.text)}
      </Chip>
      {isSignedIn && (
        <FilterLinks of={findChipFilter(chip)} search={{ project: row.projectId }} only="out" size={24} />
      )}
    </span>
  ));
}

/** The start of a request, as a link to the requests around that time. */
export function DateChip({ row }: Pick<ContextChipsProps, 'row'>) {
  const isSignedIn = useHasSession();
  return (
    <Chip row={row} search={searchAround(row)} title={AROUND_TEXT}>
      <Timestamp at={row.timing.startTime} show="full" {...(isSignedIn && { hint: AROUND_TEXT })} />
    </Chip>
  );
}
