import { Button } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { type ReactNode, useState } from 'react';

/** The number of rows shown until the user requests all rows. */
const TOP = 5;

/**
 * Returns the rows to show: at first the first five, and all rows after a click on `button`. Another click shows only five again. A list of
 * at most five rows has no button.
 */
export function useShowAll<Row>(rows: readonly Row[]): {
  readonly shown: readonly Row[];
  readonly button: ReactNode;
} {
  const [all, setAll] = useState(false);
  return {
    shown: all ? rows : rows.slice(0, TOP),
    button: rows.length > TOP && (
      <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? `Show top ${TOP}` : `Show all ${formatCount(rows.length)}`}
      </Button>
    ),
  };
}
