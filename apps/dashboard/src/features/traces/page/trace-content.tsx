import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { ValueOriginProvider } from '../value-origin/value-origin-provider.tsx';
import { DetailsView } from '../views/details-view.tsx';
import { FlowView } from '../views/flow-view.tsx';
import classes from './trace-dialog.module.css';

interface TraceContentProps {
  readonly query: UseQueryResult<LoadedTrace>;
  /** Its flow graph rather than its details. */
  readonly flow: boolean;
}

/** A trace's views, in the dialog and on the page alike; until it is there, its shape, or why it is not. */
export function TraceContent({ query, flow }: TraceContentProps) {
  const loaded = query.data;
  if (loaded === undefined) {
    return (
      <div className={classes.waiting}>
        {query.isError ? (
          <ErrorNotice
            what="The trace could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : (
          <RowsSkeleton what="trace" rows={8} />
        )}
      </div>
    );
  }
  const View = flow ? FlowView : DetailsView;
  return (
    <ValueOriginProvider key={loaded.trace._id} loaded={loaded}>
      <View loaded={loaded} />
    </ValueOriginProvider>
  );
}
