import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import classes from '../page/trace-dialog.module.css';

interface FailedReadProps {
  /** The failure, as a sentence: "The steps' values could not be loaded." */
  readonly what: string;
  readonly query: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching' | 'refetch'>;
  readonly children: ReactNode;
}

/** Shows its children, and above them the error message `what` if the query failed. */
export function FailedRead({ what, query, children }: FailedReadProps) {
  if (!query.isError) return children;
  return (
    <div className={classes.incomplete}>
      <ErrorNotice
        what={what}
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
      <div>{children}</div>
    </div>
  );
}
