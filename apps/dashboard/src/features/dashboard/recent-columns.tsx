import { formatCount, type TraceRow } from '@throughline/contract';
import { RowAction } from '../trace-list/row-action.tsx';
import classes from '../trace-list/trace-table.module.css';
import type { TraceColumns } from '../trace-list/trace-table.tsx';

export type TraceLook = 'steps' | 'flow';

/** The dashboard's last columns: Steps, Actions. */
export function recentColumns(onOpen: (row: TraceRow, look: TraceLook) => void): TraceColumns {
  return {
    label: 'Recent traces',
    layout: 'recent',
    heads: (
      <>
        <th scope="col" className={classes.stepsHead}>
          Steps
        </th>
        <th scope="col">Actions</th>
      </>
    ),
    cells: (row) => (
      <>
        <td className={classes.steps}>
          {formatCount(row.stepCount)}
          <span className={classes.unit}> {row.stepCount === 1 ? 'step' : 'steps'}</span>
        </td>
        <td className={classes.actions}>
          <RowAction onClick={() => onOpen(row, 'steps')}>View</RowAction>
          <RowAction onClick={() => onOpen(row, 'flow')}>Graph</RowAction>
        </td>
      </>
    ),
  };
}
