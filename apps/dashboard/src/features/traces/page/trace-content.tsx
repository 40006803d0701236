import type { UseQueryResult } from '@tanstack/react-query';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { isNotThere } from '../../../ui/feedback/not-there.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { WholeFunctionsProvider } from '../../../visuals/source/whole-functions.tsx';
import type { LoadedTrace } from '../data/queries.ts';
import { ValueOriginProvider } from '../value-origin/value-origin-provider.tsx';
import { DetailsView } from '../views/details-view.tsx';
import { FlowView } from '../views/flow-view.tsx';
import classes from './trace-dialog.module.css';

/** Shown for a trace that does not exist, or that the viewer may not see. */
export const NO_TRACE = {
  title: 'There is no such trace here',
  reason: 'The trace was deleted, has expired, or belongs to another organization.',
} as const;

interface TraceContentProps {
  readonly query: UseQueryResult<LoadedTrace>;
  /** True to show the flow graph instead of the details. */
  readonly flow: boolean;
}

/** A trace's views, for both the dialog and the page; a skeleton while it is loading, and an error message if loading failed. */
export function TraceContent({ query, flow }: TraceContentProps) {
  const loaded = query.data;
  if (loaded === undefined && isNotThere(query.error)) {
    return <EmptyState title={NO_TRACE.title}>{NO_TRACE.reason}</EmptyState>;
  }
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
      <WholeFunctionsProvider>
        <View loaded={loaded} />
      </WholeFunctionsProvider>
    </ValueOriginProvider>
  );
}
