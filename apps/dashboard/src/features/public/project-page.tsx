import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { formatCount } from '@throughline/contract';
import { useTableView } from '../../shell/url-state/use-table-view.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { NotThere, PageFailure } from '../../ui/feedback/not-there.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PublicFrame } from './public-frame.tsx';
import { METHODS, type PublicParams } from './public-params.ts';
import { usePublicProject, usePublicTraces } from './queries.ts';
import { PublicTraces, toPublicSort } from './traces-table.tsx';

const route = getRouteApi('/public/$id');

export function PublicProjectPage() {
  const { id } = route.useParams();
  const project = usePublicProject(id);
  return (
    <PublicFrame>
      {project.isPending && <RowsSkeleton what="project" rows={8} />}
      {project.isError && (
        <PageFailure what="The project could not be loaded." query={project} notThere={<NotPublic />} />
      )}
      {project.data !== undefined && (
        <>
          <PageHeader title={project.data.name}>
            <ButtonLink to="/public" size="xs" variant="default">
              All public projects
            </ButtonLink>
          </PageHeader>
          {project.data.description !== '' && (
            <Text size="sm" c="dimmed">
              {project.data.description}
            </Text>
          )}
          <Requests projectId={id} />
        </>
      )}
    </PublicFrame>
  );
}

function Requests({ projectId }: { readonly projectId: string }) {
  const { status, method } = route.useSearch();
  const navigate = useNavigate({ from: '/public/$id' });
  const change = (next: PublicParams) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  const { sort, setSort } = useTableView('traces');
  const order = toPublicSort(sort);
  const traces = usePublicTraces(projectId, {
    ...(status === undefined ? {} : { status }),
    ...(method === undefined ? {} : { method }),
    sort: order ?? 'time',
  });
  const rows = traces.data?.pages.flatMap((page) => page.traces) ?? [];
  // While the rows for new filters load, the rows for the previous filters stay. If the previous filters had no rows, a skeleton is shown,
  // not "no requests".
  const loadsFirst = traces.isPending || (traces.isPlaceholderData && rows.length === 0);
  const filtered = status !== undefined || method !== undefined;
  return (
    <>
      <Group gap="xs">
        <NativeSelect
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) => change({ status: STATUSES.find((one) => one === event.currentTarget.value) })}
          data={[
            { value: '', label: 'All statuses' },
            { value: 'success', label: 'Success' },
            { value: 'error', label: 'Error' },
          ]}
        />
        <NativeSelect
          aria-label="Method"
          value={method ?? ''}
          onChange={(event) => change({ method: METHODS.find((one) => one === event.currentTarget.value) })}
          data={[{ value: '', label: 'All methods' }, ...METHODS]}
        />
        {traces.data !== undefined && (
          <Text size="sm" c="dimmed">
            Showing {formatCount(rows.length)} of {formatCount(traces.data.pages[0]?.total ?? 0)} traces
          </Text>
        )}
      </Group>
      {loadsFirst && <RowsSkeleton what="traces" rows={10} />}
      {traces.isError && (
        <ErrorNotice
          what="The traces could not be loaded."
          error={traces.error}
          onRetry={() => void traces.refetch()}
          retrying={traces.isFetching}
        />
      )}
      {traces.isSuccess && !loadsFirst && rows.length === 0 && (
        <EmptyState title="No traces found">
          {filtered ? 'No request matches these filters.' : 'No traces are stored right now.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <PublicTraces rows={rows} sort={order && sort} onSort={setSort} stale={traces.isPlaceholderData} />
      )}
      {traces.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            size="xs"
            loading={traces.isFetchingNextPage}
            onClick={() => void traces.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
    </>
  );
}

const STATUSES = ['success', 'error'] as const;

function NotPublic() {
  return (
    <NotThere
      what="Project"
      title="There is no public project here"
      to="/public"
      others="See public projects"
    >
      The project is private, was deleted, or never existed.
    </NotThere>
  );
}
