import type { TraceRow } from '@throughline/contract';
import { useMemo } from 'react';
import { REQUEST_COLUMNS } from '../trace-list/request-columns.tsx';
import { RowAction } from '../trace-list/row-action.tsx';
import classes from '../trace-list/trace-table.module.css';
import type { TraceColumns } from '../trace-list/trace-table.tsx';
import { useColumns } from '../trace-list/use-columns.ts';
import { useLatest } from '../trace-list/use-latest.ts';

const AT_FIRST = ['method', 'path', 'status', 'duration', 'timestamp', 'traceId'];

/** The page's columns: what somebody chose, and View Raw. */
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
