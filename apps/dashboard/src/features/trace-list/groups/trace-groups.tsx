import { Button } from '@mantine/core';
import { formatCounted, type GroupField } from '@throughline/contract';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceGroups } from '../queries.ts';
import { GroupTable } from './group-table.tsx';
import { GroupTableWaiting } from './group-table-waiting.tsx';
import classes from './groups.module.css';

interface TraceGroupsProps {
  readonly filters: ListFilters;
  readonly groupBy: GroupField;
  /** Removes the filters, if there are any. */
  readonly onClear: (() => void) | undefined;
}

/** The groups of the list's requests. */
export function TraceGroups({ filters, groupBy, onClear }: TraceGroupsProps) {
  const { groupSort = 'count' } = useListParams();
  const query = useTraceGroups(filters, groupBy, groupSort);
  const { data } = query;
  const failure = query.isError && (
    <ErrorNotice
      what="The groups could not be loaded."
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
  if (data === undefined) return failure || <GroupTableWaiting />;
  if (data.groups.length === 0) {
    return (
      <>
        {failure}
        <EmptyState
          title={groupBy === 'errorGroup' ? 'No errors' : 'No traces found'}
          action={
            onClear !== undefined && (
              <Button variant="default" size="xs" onClick={onClear}>
                Clear filters
              </Button>
            )
          }
        >
          {groupBy === 'errorGroup' ? 'None of these requests failed.' : 'There are no requests to group.'}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {failure}
      <GroupTable
        projectId={filters.projectId}
        found={data}
        groupBy={groupBy}
        sort={groupSort}
        stale={query.isPlaceholderData}
      />
      {data.more > 0 && (
        <p className={classes.more}>
          {formatCounted(data.more, 'more group')} not shown. Filter the list to see them.
        </p>
      )}
    </>
  );
}
