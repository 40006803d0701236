import type { TraceRow } from '@throughline/contract';
import { Fragment, memo } from 'react';
import type { TraceColumn } from './columns.ts';
import classes from './trace-table.module.css';

interface RowCellsProps {
  readonly row: TraceRow;
  readonly columns: readonly TraceColumn[];
  /** What a full duration bar stands for. Milliseconds. */
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
 * One row of the table, drawn anew only where something of it changes. What is done with it the table's body hears. It stands where the rows above it
 * end and has no style of its own: a place of its own for each made Chromium work out the styles of its cells ten times as long.
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
