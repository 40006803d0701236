import { shortenTraceId, type TraceRow } from '@throughline/contract';
import { RowAction } from '../trace-list/row-action.tsx';
import classes from '../trace-list/trace-table.module.css';
import type { TraceColumns } from '../trace-list/trace-table.tsx';

/** The page's last columns: Trace ID, View Raw. */
export function rawColumns(onOpen: (row: TraceRow) => void): TraceColumns {
  return {
    label: 'Raw traces',
    layout: 'raw',
    heads: (
      <>
        <th scope="col">Trace ID</th>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </>
    ),
    cells: (row) => (
      <>
        <td className={classes.traceId} title={row.traceId}>
          {shortenTraceId(row.traceId)}
        </td>
        <td className={classes.actions}>
          <RowAction onClick={() => onOpen(row)}>View Raw</RowAction>
        </td>
      </>
    ),
  };
}
