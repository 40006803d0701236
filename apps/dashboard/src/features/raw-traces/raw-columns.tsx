import type { TraceRow } from '@throughline/contract';
import { useMemo } from 'react';
import { useLatest } from '../trace-list/live/use-latest.ts';
import { REQUEST_COLUMNS } from '../trace-list/table/request-columns.tsx';
import { RowAction } from '../trace-list/table/row-action.tsx';
import classes from '../trace-list/table/trace-table.module.css';
import type { TraceColumns } from '../trace-list/table/trace-table.tsx';
import { useColumns } from '../trace-list/table/use-columns.ts';

const AT_FIRST = ['method', 'path', 'status', 'duration', 'timestamp', 'traceId'];

/** The page's columns: the user's chosen columns, and View Raw. */
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
