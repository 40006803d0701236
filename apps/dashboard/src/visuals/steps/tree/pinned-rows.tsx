import type { ReactNode } from 'react';
import { Indented } from './indented.tsx';
import type { Indentation } from './step-indent.ts';
import type { StepRow } from './step-rows.ts';
import classes from './step-tree.module.css';

interface PinnedRowsProps {
  readonly rows: readonly StepRow[];
  readonly indentation: Indentation;
  readonly onSelect: (row: StepRow) => void;
  readonly line: (row: StepRow) => ReactNode;
}

/**
 * While the tree scrolls, shows the callers of the first visible row above that row. Hidden from assistive technology, which reads the
 * callers' own rows.
 */
export function PinnedRows({ rows, indentation, onSelect, line }: PinnedRowsProps) {
  if (rows.length === 0) return null;
  return (
    <div className={classes.pinned} aria-hidden>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the line itself
        // biome-ignore lint/a11y/noStaticElementInteractions: the same line is a tree item below
        <div key={row.entry.key} className={classes.pinnedRow} onClick={() => onSelect(row)}>
          <Indented row={row} indentation={indentation}>
            {line(row)}
          </Indented>
        </div>
      ))}
    </div>
  );
}
