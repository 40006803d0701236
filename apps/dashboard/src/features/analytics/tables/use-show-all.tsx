import { Button } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { type ReactNode, useState } from 'react';

/** The number of rows shown until the user requests all rows. */
const TOP = 5;

/**
 * Returns the first five rows of a list, or all rows. Also returns the button that shows all rows or only the first five, if the list has
 * more than five.
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
