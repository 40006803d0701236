import type { TraceRow } from '@throughline/contract';
import { useMemo } from 'react';
import {
  traceTableStyles as classes,
  REQUEST_COLUMNS,
  RowAction,
  type TraceColumns,
  useColumns,
  useLatest,
} from '../trace-list/index.ts';

export type TraceLook = 'timeline' | 'flow';

const AT_FIRST = ['method', 'path', 'status', 'duration', 'timestamp', 'steps'];

/** Returns the columns of the list of newest requests: the columns that the user chose, then the column Actions. */
export function useRecentColumns(onOpen: (row: TraceRow, look: TraceLook) => void): TraceColumns {
  const chosen = useColumns('recent', REQUEST_COLUMNS, AT_FIRST);
  const open = useLatest(onOpen);
  return useMemo(
    () => ({
      label: 'Recent traces',
      chosen,
      actions: {
        id: 'actions',
        name: 'Actions',
        width: '116px',
        cell: (row) => (
          <td className={classes.actions}>
            <RowAction onClick={() => open(row, 'timeline')}>View</RowAction>
            <RowAction onClick={() => open(row, 'flow')}>Graph</RowAction>
          </td>
        ),
      },
    }),
    [chosen, open],
  );
}
