import type { TraceRow } from '@throughline/contract';
import { Fragment, memo } from 'react';
import type { TraceColumn } from './columns.ts';

interface RowCellsProps {
  readonly row: TraceRow;
  readonly columns: readonly TraceColumn[];
  /** What a full duration bar stands for. Milliseconds. */
  readonly scaleMs: number;
}

/** A row's cells, drawn once, however the list scrolls. */
export const RowCells = memo(({ row, columns, scaleMs }: RowCellsProps) =>
  columns.map(({ id, cell }) => <Fragment key={id}>{cell(row, scaleMs)}</Fragment>),
);
