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
  /** The row's index in the list, from 0. */
  readonly index: number;
  /**
   * The distance of the row from the top of the list, in pixels. Set only for the focused row while it is outside the rendered range: the
   * focused row is always rendered.
   */
  readonly apartPx: number | undefined;
  /** True for the row that the Tab key reaches. */
  readonly active: boolean;
  readonly selected: boolean;
}

/**
 * One row of the table, rendered again only if its props change. The table's body handles the row's events. Rows in the rendered range are
 * in normal flow: with an absolute position per row, Chromium needed ten times as long to compute the cells' styles.
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

/** A row's cells, which do not depend on the row's position. */
const RowCells = memo(({ row, columns, scaleMs }: RowCellsProps) =>
  columns.map(({ id, cell }) => <Fragment key={id}>{cell(row, scaleMs)}</Fragment>),
);
