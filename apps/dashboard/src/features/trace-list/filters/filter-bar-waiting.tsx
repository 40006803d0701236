import { Skeleton } from '@mantine/core';
import classes from '../trace-list.module.css';

/** Placeholders of the filters, in the lines of the filter bar. */
export function FilterBarWaiting() {
  return (
    <div className={classes.filters} aria-hidden>
      <Skeleton height={39} flex="1 1 100%" />
      <Skeleton height={36} className={classes.search ?? ''} />
      <Skeleton height={36} w={140} />
      <Skeleton height={36} w={148} />
      <Skeleton height={36} w={172} className={classes.groupBy ?? ''} />
      <div className={classes.barEnd}>
        <p className={classes.caption} />
        <Skeleton height={36} w={36} />
        <Skeleton height={36} w={36} />
        <Skeleton height={36} className={classes.viewsWaiting ?? ''} />
        <Skeleton height={36} w={36} />
      </div>
    </div>
  );
}
