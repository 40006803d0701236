import { Button } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { type ReactNode, useState } from 'react';

/** So many of a list are shown until all are asked for. */
const TOP = 5;

/** The first five of a list, or all of it, and the button that changes which; none where there are not more. */
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
