import { Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { listPlaces, Waiting } from '../../../ui/feedback/skeletons.tsx';
import { useNarrowerThan } from '../../../ui/hooks/use-narrower-than.ts';
import classes from './groups.module.css';

/** Width of the table in pixels below which each row has two lines. */
export const TALL_PX = 560;

const CELLS = [
  classes.name,
  classes.count,
  classes.trend,
  classes.wide,
  classes.errors,
  classes.p95,
  classes.wide,
  classes.wide,
];

/** Placeholders of the groups in the table's columns, so that nothing moves when the groups load. */
export function GroupTableWaiting() {
  const table = useRef<HTMLTableElement>(null);
  const tall = useNarrowerThan(table, TALL_PX);
  return (
    <Waiting what="groups">
      <table ref={table} className={classes.table} aria-hidden data-tall={tall}>
        <thead>
          <tr className={classes.head} />
        </thead>
        <tbody>
          {listPlaces(10).map((place) => (
            <tr key={place} className={classes.row}>
              {CELLS.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                <td key={index} className={cell}>
                  <Skeleton height={12} width="60%" my={6} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Waiting>
  );
}
