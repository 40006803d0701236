import { Button, Loader, Text } from '@mantine/core';
import { formatCount, MAX_VALUE_MATCHES, type ValueSearch } from '@throughline/contract';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import classes from './value-search.module.css';

interface ValueSearchNoteProps {
  readonly search: ValueSearch;
  readonly onContinue: () => void;
  readonly continuing: boolean;
}

/** Shows how far back a search over captured values has come, and continues the search. */
export function ValueSearchNote({ search: { since, limit }, onContinue, continuing }: ValueSearchNoteProps) {
  if (limit === 'matches') {
    return (
      <Text size="sm" role="note" className={classes.text ?? ''}>
        The search stopped after {formatCount(MAX_VALUE_MATCHES)} matches, at{' '}
        <Timestamp at={since} show="full" />. Select an earlier time range to search older requests.
      </Text>
    );
  }
  return (
    <div role="note" className={classes.note}>
      <Text size="sm" span>
        Searched back to <Timestamp at={since} show="full" />. Older requests have not been searched for the
        value in the filter.
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        // Uses `aria-disabled`, because a disabled button would lose the focus.
        aria-disabled={continuing || undefined}
        leftSection={continuing && <Loader size={12} color="gray" aria-hidden />}
        onClick={continuing ? undefined : onContinue}
      >
        Continue searching
      </Button>
    </div>
  );
}
