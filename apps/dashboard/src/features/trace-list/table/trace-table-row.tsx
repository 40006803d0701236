import type { TraceRow } from '@throughline/contract';
import { Fragment, memo } from 'react';
import type { TraceColumn } from './columns.ts';
import classes from './trace-table.module.css';

interface RowCellsProps {
  readonly row: TraceRow;
  readonly columns: readonly TraceColumn[];
  /** The duration of a full bar. Milliseconds. */
  readonly scaleMs: number;
}

interface TraceTableRowProps extends RowCellsProps {
  /** Its place in the list; the first is 0. */
  readonly index: number;
  /** Where it stands outside of those in view, from the list's top. */
  readonly apartPx: number | undefined;
  /** Tab reaches it. */
  readonly active: boolean;
  readonly selected: boolean;
}

/**
 * One row of the table, drawn again only if it changes. The table's body handles its events. The row follows the rows above without a
 * style of its own: with an absolute position for each row, Chromium took ten times as long for the styles of its cells.
 */
export const TraceTableRow = memo(({ row, columns, scaleMs, ...place }: TraceTableRowProps) => {
  const { index, apartPx, active, selected } = place;
  return (
    <tr
      data-row={row._id}
      data-selected={selected}
      aria-rowindex={index + 2}
      tabIndex={active ? 0 : -1}
      className={classes.row}
      style={apartPx === undefined ? undefined : { position: 'absolute', top: apartPx }}
    >
      <RowCells row={row} columns={columns} scaleMs={scaleMs} />
    </tr>
  );
});

/** A row's cells: the same wherever the row lies. */
const RowCells = memo(({ row, columns, scaleMs }: RowCellsProps) =>
  columns.map(({ id, cell }) => <Fragment key={id}>{cell(row, scaleMs)}</Fragment>),
);
