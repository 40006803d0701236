import { Stack } from '@mantine/core';
import type { ShareLink } from '@throughline/contract';
import { useState } from 'react';
import { LIFETIME_COLUMNS } from '../../ui/tables/lifetime-columns.tsx';
import { SearchedTable } from '../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { type Outcome, OutcomeNotice } from '../settings/index.ts';
import { LinkedRequest, RevokeButton } from './link-rows.tsx';

interface LinkTableProps {
  readonly links: readonly ShareLink[];
  readonly mayRevoke: boolean;
}

/** Width of the list in pixels below which each link is a card, not a table row. */
const CARDS_PX = 600;

const DELETED = 'Deleted user';

const COLUMNS: readonly TableColumn<ShareLink>[] = [
  {
    name: 'Request',
    kind: 'text',
    card: 'title',
    value: ({ request }) => (request === null ? null : `${request.method} ${request.path}`),
    cell: (link) => <LinkedRequest link={link} />,
  },
  { name: 'Values', kind: 'text', value: ({ values }) => values, cell: ({ values }) => values },
  {
    name: 'Created by',
    kind: 'text',
    wraps: true,
    value: ({ createdBy }) => createdBy ?? DELETED,
    cell: ({ createdBy }) => createdBy ?? DELETED,
  },
  ...LIFETIME_COLUMNS,
];

/** Share links to the traces of a project, each with its request and, if `mayRevoke` is true, a button to revoke it. */
export function LinkTable({ links, mayRevoke }: LinkTableProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const revoke: TableColumn<ShareLink> = {
    name: 'Actions',
    hiddenHead: true,
    cell: (link) => <RevokeButton link={link} onRevoked={undefined} onOutcome={setOutcome} />,
  };
  return (
    <Stack gap="xs">
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      {links.length > 0 && (
        <SearchedTable
          id="links"
          label="Links to traces"
          what="links"
          columns={mayRevoke ? [...COLUMNS, revoke] : COLUMNS}
          rows={links}
          getKey={({ id }) => id}
          cardsBelow={CARDS_PX}
        />
      )}
    </Stack>
  );
}
