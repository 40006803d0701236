import { memo, type ReactNode } from 'react';
import { FullName } from '../full-name.tsx';
import { Indented } from './indented.tsx';
import type { Indentation } from './step-indent.ts';
import type { StepRow } from './step-rows.ts';
import classes from './step-tree.module.css';

interface TreeRowProps {
  readonly id: string;
  readonly row: StepRow;
  /** The distance of this row's top from the top of the first row. Pixels. */
  readonly startPx: number;
  readonly isSelected: boolean;
  /** True if the step, or a step of the bundle, has the value that the user follows through the request. */
  readonly isMarked: boolean;
  /** True for the last row. */
  readonly isLast: boolean;
  readonly indentation: Indentation;
  readonly line: (row: StepRow, onToggle: () => void) => ReactNode;
  readonly onSelect: (key: string) => void;
  readonly onToggle: (row: StepRow) => void;
}

/** A row of the step tree. Memoized, so that scrolling renders only rows that come into view. */
export const TreeRow = memo(function TreeRow({
  row,
  isSelected,
  isMarked,
  onSelect,
  onToggle,
  ...props
}: TreeRowProps) {
  const toggle = () => onToggle(row);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names its active item
    <div
      role="treeitem"
      id={props.id}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      {...(row.open === undefined ? {} : { 'aria-expanded': row.open })}
      className={classes.row}
      data-caller={row.onlyCaller}
      data-marked={isMarked || undefined}
      style={{ transform: `translateY(${props.startPx}px)` }}
      onClick={() => onSelect(row.entry.key)}
      onDoubleClick={toggle}
    >
      <Indented row={row} indentation={props.indentation}>
        {props.line(row, toggle)}
      </Indented>
      {isMarked && <span className="visually-hidden">has the value that you follow</span>}
      {isSelected && <FullName row={row} last={props.isLast} />}
    </div>
  );
});
