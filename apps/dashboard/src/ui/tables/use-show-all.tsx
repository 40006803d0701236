import { Button } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { type ReactNode, useState } from 'react';

/** The number of rows of a ranking that are shown before the user asks for all. */
export const TOP_ROWS = 5;

/**
 * Returns the rows to show: only the first `first` rows until a click on `button`, then all rows. Another click hides the further rows
 * again. A list of at most `first` rows has no button. `what` is the name of the rows, such as "deliveries".
 */
export function useShowAll<Row>(
  rows: readonly Row[],
  first: number,
  what: string,
): {
  readonly shown: readonly Row[];
  readonly button: ReactNode;
} {
  const [all, setAll] = useState(false);
  return {
    shown: all ? rows : rows.slice(0, first),
    button: rows.length > first && (
      <div>
        <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show first ${first}` : `Show all ${formatCount(rows.length)} ${what}`}
        </Button>
      </div>
    ),
  };
}
