import { NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { ProjectSelect } from '../projects/project-select.tsx';
import { useSelectedProject } from '../projects/selected-project.ts';
import { WithoutProject } from '../projects/without-project.tsx';
import { ErrorPage } from './error-detail.tsx';
import { ErrorList } from './error-list.tsx';
import classes from './errors.module.css';
import { useErrorList } from './queries.ts';

const DAYS = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
];
const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'all', label: 'All' },
] as const;

/** A project's errors, or the details of the selected error. */
export function ErrorsPage() {
  const selection = useSelectedProject();
  const { selected } = selection;
  const { error, days = '7' } = useViewParams();
  const change = useChangeView();
  return (
    <Stack gap="md">
      <PageHeader title="Errors">
        <NativeSelect
          aria-label="Time"
          data={DAYS}
          value={days}
          onChange={({ currentTarget: { value } }) =>
            change({ days: value === '1' || value === '30' ? value : undefined })
          }
        />
        <ProjectSelect />
      </PageHeader>
      {selected === undefined ? (
        <WithoutProject
          selection={selection}
          title="Please select a project to view its errors"
          hint="No projects yet."
          waiting={<RowsSkeleton what="errors" rows={6} />}
        />
      ) : error !== undefined ? (
        <ErrorPage projectId={selected.id} errorId={error} days={days} />
      ) : (
        <ListOfState projectId={selected.id} days={days} />
      )}
    </Stack>
  );
}

function ListOfState({ projectId, days }: { readonly projectId: string; readonly days: string }) {
  const { state = 'open' } = useViewParams();
  const change = useChangeView();
  const list = useErrorList(projectId, { days, state });
  return (
    <section className={classes.panel} aria-label="Errors">
      <SegmentedControl
        aria-label="State"
        size="xs"
        className={classes.states}
        data={STATES.map(({ value, label }) => ({ value, label }))}
        value={state}
        onChange={(value) => change({ state: value === 'open' ? undefined : value })}
      />
      {list.isPending && <RowsSkeleton what="errors" rows={6} />}
      {list.isError && (
        <ErrorNotice
          what="The errors could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {list.data?.length === 0 && <EmptyState title={EMPTY[state]} />}
      {list.data !== undefined && list.data.length > 0 && <ErrorList errors={list.data} />}
    </section>
  );
}

const EMPTY = {
  open: 'No open errors in this time',
  resolved: 'No resolved errors were seen in this time',
  ignored: 'No ignored errors were seen in this time',
  all: 'No errors in this time',
} as const;
