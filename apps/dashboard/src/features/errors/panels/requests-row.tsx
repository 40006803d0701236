import { formatCounted } from '@throughline/contract';
import type { ReactNode } from 'react';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import classes from '../errors.module.css';

interface RequestsRowProps {
  readonly name: string;
  /** Number of requests in the time range. */
  readonly count: number;
  readonly lastSeen: string | null;
  /** Creates a link that shows the name. Not called without requests in the time range: the row then shows the plain name. */
  readonly link: () => ReactNode;
  /** A text before the number of requests. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}

/** A row for an error, with the number of its requests in the time range. */
export function RequestsRow({ name, count, lastSeen, link, before, children }: RequestsRowProps) {
  return (
    <li>
      {count === 0 ? <span>{name}</span> : link()}
      <span className={classes.dim}>
        {before}
        {count === 0 ? 'No requests in this time range' : formatCounted(count, 'request')}
        {lastSeen !== null && (
          <>
            , last <Timestamp at={lastSeen} />
          </>
        )}
      </span>
      {children}
    </li>
  );
}
