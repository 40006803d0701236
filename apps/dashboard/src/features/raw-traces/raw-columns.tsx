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

const AT_FIRST = ['method', 'path', 'status', 'duration', 'timestamp', 'traceId'];

/** Returns the columns of the list: the columns that the user chose, then the column View Raw. */
export function useRawColumns(onOpen: (row: TraceRow) => void): TraceColumns {
  const chosen = useColumns('raw', REQUEST_COLUMNS, AT_FIRST);
  const open = useLatest(onOpen);
  return useMemo(
    () => ({
      label: 'Raw traces',
      chosen,
      actions: {
        id: 'actions',
        name: 'Actions',
        width: '96px',
        hiddenHead: true,
        cell: (row) => (
          <td className={classes.actions}>
            <RowAction onClick={() => open(row)}>View Raw</RowAction>
          </td>
        ),
      },
    }),
    [chosen, open],
  );
}
