import type { TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { useHasSession } from '../data/trace-calls.ts';
import classes from '../page/trace-dialog.module.css';
import { AROUND_TEXT, type LoadedContext, listChips, searchAround } from './list-chips.ts';

interface ContextChipsProps {
  readonly row: TraceRow;
  /** Undefined until the trace is loaded. */
  readonly loaded: LoadedContext | undefined;
}

/** The context of a request; each item is a link to all requests that share the item. Viewers without a session see plain text. */
export function ContextChips({ row, loaded }: ContextChipsProps) {
  const isSignedIn = useHasSession();
  return listChips(row, loaded).map(({ name, text, search }) => {
    const shown = escapeControlCharacters(text);
    return isSignedIn ? (
      <AnchorLink
        key={name}
        to="/dashboard"
        search={{ project: row.projectId, ...search }}
        className={classes.chip}
        title={`All requests with the same ${escapeControlCharacters(name)}`}
      >
        {shown}
      </AnchorLink>
    ) : (
      <span key={name} className={classes.dim}>
        {shown}
      </span>
    );
  });
}

/** The start of a request, as a link to the requests around that time. Viewers without a session see plain text. */
export function DateChip({ row }: Pick<ContextChipsProps, 'row'>) {
  const isSignedIn = useHasSession();
  const { startTime } = row.timing;
  if (!isSignedIn) {
    return (
      <span className={classes.dim}>
        <Timestamp at={startTime} show="full" />
      </span>
    );
  }
  return (
    <AnchorLink
      to="/dashboard"
      search={{ project: row.projectId, ...searchAround(row) }}
      className={classes.chip}
      title={AROUND_TEXT}
    >
      <Timestamp at={startTime} show="full" hint={AROUND_TEXT} />
    </AnchorLink>
  );
}
