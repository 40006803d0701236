import { Select, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { formatCount } from '@throughline/contract';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton, TilesSkeleton } from '../../ui/feedback/skeletons.tsx';
import { FigureTiles } from '../../ui/layout/figure-tiles.tsx';
import { arrange, buildPersonRows, countPeople, type SortKey } from './people.ts';
import { PeopleTable } from './people-table.tsx';
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

/** Table of the organization's members and pending invitations. */
export function People({ organizationId }: { readonly organizationId: string }) {
  const members = useMembers(organizationId);
  const pending = usePendingInvitations(organizationId);
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('all');
  const [sort, setSort] = useState<{ by: SortKey; descending: boolean }>({ by: 'role', descending: false });
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
  const shown = arrange(
    rows.filter((row) => status === 'all' || row.status === status),
    search,
    sort,
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
        <TextInput
          type="search"
          aria-label="Search users"
          placeholder="Search name or email"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          aria-label="Status"
          data={FILTERS}
          value={status}
          onChange={(value) => setStatus(value ?? 'all')}
          w={130}
        />
      </div>
      <PeopleTable
        rows={shown}
        sort={sort}
        onSort={(by) => setSort({ by, descending: sort.by === by ? !sort.descending : false })}
        onOpen={open}
      />
      {!others && (
        <EmptyState title="No developers yet">
          Add the people you work with: they see the same projects and traces.
        </EmptyState>
      )}
      {others && shown.length === 0 && <EmptyState title="No matching users" />}
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
