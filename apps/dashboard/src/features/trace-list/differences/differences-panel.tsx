import { CloseButton } from '@mantine/core';
import { formatCount, type TraceDifference, type TraceDifferences } from '@throughline/contract';
import type { ReactNode } from 'react';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import { type ListFilters, useTraceDifferences } from '../queries.ts';
import { DifferenceRow } from './difference-row.tsx';
import classes from './differences.module.css';

interface DifferencesPanelProps {
  readonly filters: ListFilters;
  /** Renders the buttons of a value. */
  readonly actions: (difference: TraceDifference) => ReactNode;
  readonly onClose: () => void;
}

/** The values that are more frequent in the requests that match the filters than in other requests. */
export function DifferencesPanel({ filters, actions, onClose }: DifferencesPanelProps) {
  const query = useTraceDifferences(filters);
  return (
    <section aria-label="What is different?" className={classes.panel}>
      <header className={classes.header}>
        <h2>What is different?</h2>
        <CloseButton size={24} aria-label="Close “What is different?”" onClick={onClose} />
      </header>
      <LoadState query={query} what="differences" failure="The differences could not be loaded." rows={3} />
      {query.data !== undefined && <Found found={query.data} actions={actions} />}
    </section>
  );
}

interface FoundProps extends Pick<DifferencesPanelProps, 'actions'> {
  readonly found: TraceDifferences;
}

function Found({ found, actions }: FoundProps) {
  const { against, matching, others, differences } = found;
  if (against === null) {
    return (
      <p className={classes.about}>
        Filter the list first: select a time or durations in the charts, filter for errors, or select rows.
        These requests are then compared with the others.
      </p>
    );
  }
  return (
    <>
      <p className={classes.about} role="status">
        {formatRequests(matching)} compared with {formatCount(others)} {OTHERS[against]}
        {found.sampledOneIn > 1 &&
          `. The counts are estimates from one in ${formatCount(found.sampledOneIn)} requests`}
        .
      </p>
      {differences.length === 0 ? (
        <p className={classes.about}>
          {matching === 0 || others === 0
            ? 'One of the two groups has no requests, so nothing can be compared.'
            : 'No value is significantly more frequent in these requests.'}
        </p>
      ) : (
        <ol className={classes.rows}>
          {differences.map((difference) => (
            <DifferenceRow
              key={difference.term}
              difference={difference}
              sides={SIDES}
              actions={actions(difference)}
            />
          ))}
        </ol>
      )}
    </>
  );
}

const SIDES = { inside: 'these', outside: 'others' } as const;

function formatRequests(count: number): string {
  return count === 1 ? '1 request' : `${formatCount(count)} requests`;
}

const OTHERS: Readonly<Record<NonNullable<TraceDifferences['against']>, string>> = {
  outcome: 'with another outcome',
  time: 'shortly before and after',
  rest: 'that do not match',
};
