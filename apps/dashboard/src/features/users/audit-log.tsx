import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { AUDIT_ACTIONS, AUDIT_DAYS } from '@throughline/contract';
import { useState } from 'react';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { WideTable } from '../../ui/tables/wide-table.tsx';
import { formatInstant } from '../../ui/time/relative-time.ts';
import { useAuditPage } from './queries.ts';
import classes from './users.module.css';

/** The organization's audit log: actions with user, time and IP address. */
export function AuditLog({ organizationId }: { readonly organizationId: string }) {
  /** Cursors of the visited pages; the last cursor's page is shown. */
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const page = useAuditPage(organizationId, cursors.at(-1));
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
  if (entries.length === 0) return <EmptyState title="Nothing in the audit log yet" />;
  return (
    <Stack>
      <WideTable label="Entries" minWidth={280}>
        <Table className={`${classes.table} ${classes.audit}`} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.column}>Time</Table.Th>
              <Table.Th>User</Table.Th>
              <Table.Th>Action</Table.Th>
              <Table.Th className={classes.column}>IP</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map(({ id, at, actor, action, target, address }) => (
              <Table.Tr key={id}>
                <Table.Td className={`${classes.instant} ${classes.column}`}>
                  <time dateTime={at}>{formatInstant(Date.parse(at))}</time>
                </Table.Td>
                <Table.Td className={classes.actor} title={actor?.email}>
                  <div>{actor?.name ?? 'Throughline'}</div>
                </Table.Td>
                <Table.Td className={classes.action}>
                  {AUDIT_ACTIONS[action]} {target !== null && <strong>{target}</strong>}
                  <div className={classes.below}>
                    <time dateTime={at}>{formatInstant(Date.parse(at))}</time>
                    {address !== null && ` · ${address}`}
                  </div>
                </Table.Td>
                <Table.Td className={`${classes.instant} ${classes.column}`}>{address ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          Entries are stored for {AUDIT_DAYS} days.
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            disabled={cursors.length === 1}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={nextCursor === null}
            onClick={() => setCursors([...cursors, nextCursor ?? undefined])}
          >
            Older
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
