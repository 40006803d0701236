import { Select, Stack } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { useTableView } from '../../shell/url-state/use-table-view.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton, TilesSkeleton } from '../../ui/feedback/skeletons.tsx';
import { FigureTiles } from '../../ui/layout/figure-tiles.tsx';
import { arrangeRows } from '../../ui/tables/arrange-rows.ts';
import { NoMatch, TableSearch } from '../../ui/tables/table-search.tsx';
import { buildPersonRows, countPeople } from './people.ts';
import { PEOPLE_COLUMNS, PeopleTable } from './people-table.tsx';
import type { PersonDialogState } from './person-dialog.tsx';
import { useMembers, usePendingInvitations } from './queries.ts';
import classes from './users.module.css';

const PersonDialog = lazyPart(() => import('./person-dialog.tsx'), 'PersonDialog');

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'Active', label: 'Active' },
  { value: 'Inactive', label: 'Inactive' },
  { value: 'Pending', label: 'Pending' },
];

const USUAL_SORT = { column: 'role', order: 'ascending' } as const;

/** Table of the organization's members and pending invitations. */
export function People({ organizationId }: { readonly organizationId: string }) {
  const members = useMembers(organizationId);
  const pending = usePendingInvitations(organizationId);
  const { search, sort, setSearch, setSort } = useTableView('people');
  const field = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState('all');
  const [dialog, setDialog] = useState<PersonDialogState>();
  const [opened, setOpened] = useState(false);

  const failed = [members, pending].find((query) => query.isError);
  if (failed !== undefined) {
    return (
      <ErrorNotice
        what="The users could not be loaded."
        error={failed.error}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  }
  if (!members.isSuccess || !pending.isSuccess) {
    return (
      <Stack>
        <TilesSkeleton what="the counters" tiles={3} />
        <RowsSkeleton what="the users" rows={4} />
      </Stack>
    );
  }
  const rows = buildPersonRows(members.data, pending.data);
  const counts = countPeople(rows);
  const shown = arrangeRows(
    rows.filter((row) => status === 'all' || row.status === status),
    PEOPLE_COLUMNS,
    { search, sort: sort ?? USUAL_SORT },
  );
  const open = (state: PersonDialogState) => {
    setDialog(state);
    setOpened(true);
  };
  const others = rows.some((row) => row.role !== 'owner');
  return (
    <Stack>
      <FigureTiles
        figures={[
          { label: 'Total', text: formatCount(counts.total) },
          { label: 'Active', text: formatCount(counts.active) },
          { label: 'Pending', text: formatCount(counts.pending) },
        ]}
      />
      <div className={classes.filters}>
        <TableSearch
          label="Search users"
          placeholder="Search name or email"
          value={search}
          onChange={setSearch}
          field={field}
        />
        <Select
          size="xs"
          aria-label="Status"
          data={FILTERS}
          value={status}
          onChange={(value) => setStatus(value ?? 'all')}
          w={130}
        />
      </div>
      {shown.length > 0 && (
        <PeopleTable rows={shown} sort={sort} usualSort={USUAL_SORT} onSort={setSort} onOpen={open} />
      )}
      {!others && (
        <EmptyState title="No developers yet">
          Add the people you work with: they see the same projects and traces.
        </EmptyState>
      )}
      {shown.length === 0 && search !== '' && (
        <NoMatch what="users" search={search} onClear={() => setSearch('')} field={field} />
      )}
      {others && shown.length === 0 && search === '' && <EmptyState title="No matching users" />}
      {opened && (
        <Suspense>
          <PersonDialog
            organizationId={organizationId}
            dialog={dialog}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </Stack>
  );
}
