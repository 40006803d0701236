import { Button, Group, Stack, Text } from '@mantine/core';
import {
  AUDIT_ACTIONS,
  AUDIT_DAYS,
  type AuditEntry,
  type AuditSort,
  SERVER_ACTOR,
} from '@throughline/contract';
import { useRef, useState } from 'react';
import { useTableView } from '../../shell/url-state/use-table-view.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { NoMatch, TableSearch } from '../../ui/tables/table-search.tsx';
import { formatInstant } from '../../ui/time/relative-time.ts';
import { useAuditPage } from './queries.ts';
import classes from './users.module.css';

/** Width of the list in pixels below which each entry is a card, not a table row. */
const CARDS_PX = 560;

/** The columns of the table. They have no sort function, because the server sorts the entries by the keys in `SORTS`. */
const COLUMNS: readonly TableColumn<AuditEntry>[] = [
  {
    name: 'Time',
    kind: 'time',
    cell: ({ at }) => <time dateTime={at}>{formatInstant(Date.parse(at))}</time>,
  },
  {
    name: 'User',
    kind: 'text',
    className: classes.actor,
    wraps: true,
    cell: ({ actor }) => <div title={actor?.email}>{actor?.name ?? SERVER_ACTOR}</div>,
  },
  {
    name: 'Action',
    kind: 'text',
    card: 'title',
    className: classes.action,
    cell: ({ action, target }) => (
      <>
        {AUDIT_ACTIONS[action]} {target !== null && <strong>{target}</strong>}
      </>
    ),
  },
  { name: 'IP', kind: 'text', cell: ({ address }) => address },
];
/** The API's sort key for each column of the table. */
const SORTS: Readonly<Record<string, AuditSort>> = {
  time: 'time',
  user: 'user',
  action: 'action',
  ip: 'address',
};

/** The organization's audit log: actions with user, time and IP address. */
export function AuditLog({ organizationId }: { readonly organizationId: string }) {
  const { search, sort, setSearch, setSort } = useTableView('audit');
  const field = useRef<HTMLInputElement>(null);
  const by = sort === undefined ? undefined : SORTS[sort.column];
  const listing = {
    ...(by !== undefined && sort !== undefined && { sort: by, order: sort.order }),
    ...(search !== '' && { search }),
  };
  const arrangement = JSON.stringify(listing);
  /**
   * Cursors of the visited pages; the page of the last cursor is shown. The cursors are valid only for the order and the search in `of`.
   */
  const [paging, setPaging] = useState<{ of: string; cursors: readonly (string | undefined)[] }>();
  const cursors = paging?.of === arrangement ? paging.cursors : [undefined];
  const page = useAuditPage(organizationId, listing, cursors.at(-1));
  if (page.isPending) return <RowsSkeleton what="the audit log" />;
  if (page.isError) {
    return (
      <ErrorNotice
        what="The audit log could not be loaded."
        error={page.error}
        onRetry={() => void page.refetch()}
        retrying={page.isFetching}
      />
    );
  }
  const { entries, nextCursor } = page.data;
  if (entries.length === 0 && search === '') return <EmptyState title="Nothing in the audit log yet" />;
  return (
    <Stack>
      <div className={classes.filters}>
        <TableSearch
          label="Search audit log"
          placeholder="Search user, action or IP"
          value={search}
          onChange={setSearch}
          field={field}
        />
      </div>
      {entries.length === 0 ? (
        <NoMatch what="entries" search={search} onClear={() => setSearch('')} field={field} />
      ) : (
        <div className={classes.panel}>
          <DataTable
            label="Audit log"
            columns={COLUMNS}
            rows={entries}
            getKey={({ id }) => id}
            sort={by === undefined ? undefined : sort}
            usualSort={{ column: 'time', order: 'descending' }}
            onSort={setSort}
            cardsBelow={CARDS_PX}
            stale={page.isPlaceholderData}
          />
        </div>
      )}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          Entries are stored for {AUDIT_DAYS} days.
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            disabled={cursors.length === 1}
            onClick={() => setPaging({ of: arrangement, cursors: cursors.slice(0, -1) })}
          >
            Previous page
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={nextCursor === null}
            onClick={() => setPaging({ of: arrangement, cursors: [...cursors, nextCursor ?? undefined] })}
          >
            Next page
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
