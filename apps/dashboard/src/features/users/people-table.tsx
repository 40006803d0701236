import { ActionIcon, Badge, Menu, Text } from '@mantine/core';
import {
  IconCopy,
  IconCrown,
  IconDots,
  IconMailForward,
  IconMailOff,
  IconTrash,
  IconUserCog,
} from '@tabler/icons-react';
import { copyText } from '../../ui/copying/copy-text.ts';
import { notifyFailure } from '../../ui/feedback/notify-failure.tsx';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';
import { DataTable, type DataTableProps } from '../../ui/tables/data-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { formatDate } from '../../ui/time/relative-time.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { type PersonRow, RANK } from './people.ts';
import type { PersonDialogState } from './person-dialog.tsx';
import classes from './users.module.css';

/** Width of the table in pixels below which each person is a card, not a table row. */
const CARDS_PX = 720;
const ROLES = { owner: 'Owner', admin: 'Admin', developer: 'Developer' } as const;
const STATUS_COLOURS = { Active: 'green', Inactive: 'gray', Pending: 'yellow' } as const;

/** The columns of the table. The search finds names and email addresses. */
export const PEOPLE_COLUMNS: readonly TableColumn<PersonRow>[] = [
  {
    name: 'User',
    kind: 'text',
    card: 'title',
    className: classes.person,
    value: ({ name }) => (name === '' ? null : name),
    cell: ({ name }) => (
      <Text size="sm" fw={500}>
        {name === '' ? '–' : name}
      </Text>
    ),
  },
  {
    name: 'Email',
    kind: 'text',
    className: classes.email,
    wraps: true,
    value: ({ email }) => email,
    cell: ({ email }) => <Text size="sm">{email}</Text>,
  },
  { name: 'Role', kind: 'rank', value: ({ role }) => RANK[role], cell: ({ role }) => ROLES[role] },
  {
    name: 'Status',
    kind: 'text',
    value: ({ status }) => status,
    searched: () => '',
    cell: ({ status }) => (
      <Badge variant="dot" color={STATUS_COLOURS[status]} size="sm" miw="max-content">
        {status}
      </Badge>
    ),
  },
  {
    name: 'Joined',
    kind: 'time',
    value: ({ joinedMs }) => joinedMs ?? null,
    cell: ({ joinedMs }) => (joinedMs === undefined ? null : formatDate(joinedMs)),
  },
  {
    name: 'Last Active',
    kind: 'time',
    value: ({ lastActiveMs }) => lastActiveMs ?? null,
    cell: ({ lastActiveMs }) =>
      lastActiveMs === undefined ? null : <Timestamp at={new Date(lastActiveMs).toISOString()} />,
  },
];

interface PeopleTableProps extends Pick<DataTableProps<PersonRow>, 'rows' | 'sort' | 'usualSort' | 'onSort'> {
  readonly onOpen: (dialog: PersonDialogState) => void;
}

export function PeopleTable({ onOpen, ...rest }: PeopleTableProps) {
  const actions: TableColumn<PersonRow> = {
    name: 'Actions',
    card: 'plain',
    cell: (row) => (row.role === 'owner' ? '' : <PersonActions row={row} onOpen={onOpen} />),
  };
  return (
    <div className={classes.panel}>
      <DataTable
        label="People"
        columns={[...PEOPLE_COLUMNS, actions]}
        getKey={({ id }) => id}
        cardsBelow={CARDS_PX}
        {...rest}
      />
    </div>
  );
}

interface PersonProps {
  readonly row: PersonRow;
  readonly onOpen: (dialog: PersonDialogState) => void;
}

function PersonActions({ row, onOpen }: PersonProps) {
  const { invitation } = row;
  const copyLink = () => {
    copyText(invitation?.link ?? '').then(
      () => notifySuccess('The invitation link was copied.'),
      () => notifyFailure('The link could not be copied.'),
    );
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${row.email}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {invitation === undefined ? (
          <>
            <Menu.Item
              leftSection={<IconUserCog size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'role', row })}
            >
              Change role
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCrown size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'owner', row })}
            >
              Make owner
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'delete', row })}
            >
              Delete user
            </Menu.Item>
          </>
        ) : (
          <>
            {invitation.link !== null && (
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copyLink}>
                Copy invitation link
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconMailForward size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'resend', row })}
            >
              Send again
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconMailOff size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'revoke', row })}
            >
              Revoke invitation
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
