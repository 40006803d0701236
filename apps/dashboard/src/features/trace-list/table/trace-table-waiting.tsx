import { Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { listPlaces, Waiting } from '../../../ui/feedback/skeletons.tsx';
import { SELECT_COLUMN } from '../selection/select-column.tsx';
import classes from './trace-table.module.css';
import type { TraceColumns } from './use-columns.ts';
import { useTableLayout } from './use-table-layout.ts';

/** Placeholders of the table's rows in the table's columns, so that nothing moves when the rows load. */
export function TraceTableWaiting({ columns }: { readonly columns: TraceColumns }) {
  const table = useRef<HTMLTableElement>(null);
  const { shown, layout } = useTableLayout(table, columns);
  return (
    <Waiting what="traces">
      <table ref={table} className={classes.table} aria-hidden {...layout}>
        <thead>
          <tr className={classes.head}>
            {shown.map(({ id, name, numeric = false, hiddenHead }) => (
              <th key={id} data-numeric={numeric}>
                {hiddenHead !== true && name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.body}>
          {listPlaces(10).map((place) => (
            <tr key={place} className={classes.row}>
              {shown.map(({ id, numeric }) => (
                <td key={id} className={classes.waiting}>
                  <Skeleton
                    height={id === SELECT_COLUMN.id ? 16 : 12}
                    width={id === SELECT_COLUMN.id ? 16 : '60%'}
                    ml={numeric === true ? 'auto' : 0}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Waiting>
  );
}
