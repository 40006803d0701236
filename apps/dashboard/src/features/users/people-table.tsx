import { ActionIcon, Badge, Menu, Table, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
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
import { WideTable } from '../../ui/tables/wide-table.tsx';
import { formatDate } from '../../ui/time/relative-time.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import type { PersonRow, SortKey } from './people.ts';
import type { PersonDialogState } from './person-dialog.tsx';
import classes from './users.module.css';

interface Column {
  readonly label: string;
  readonly sort?: SortKey;
  /** True if a narrow list shows the values of this column below those of another column. */
  readonly isBelow?: true;
}

const COLUMNS: readonly Column[] = [
  { label: 'User', sort: 'name' },
  { label: 'Email', isBelow: true },
  { label: 'Role', sort: 'role' },
  { label: 'Status', sort: 'status', isBelow: true },
  { label: 'Joined', sort: 'joined', isBelow: true },
  { label: 'Last Active', sort: 'lastActive', isBelow: true },
  { label: 'Actions' },
];
const ROLES = { owner: 'Owner', admin: 'Admin', developer: 'Developer' } as const;
const STATUS_COLOURS = { Active: 'green', Inactive: 'gray', Pending: 'yellow' } as const;

interface PeopleTableProps {
  readonly rows: readonly PersonRow[];
  readonly sort: { readonly by: SortKey; readonly descending: boolean };
  readonly onSort: (by: SortKey) => void;
  readonly onOpen: (dialog: PersonDialogState) => void;
}

export function PeopleTable({ rows, sort, onSort, onOpen }: PeopleTableProps) {
  return (
    <WideTable label="People" minWidth={280}>
      <Table className={`${classes.table} ${classes.people}`} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(({ label, sort: key, isBelow }) => (
              <Table.Th
                key={label}
                className={isBelow && classes.column}
                aria-sort={key === sort.by ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {key === undefined ? (
                  label
                ) : (
                  <UnstyledButton className={classes.sort} onClick={() => onSort(key)}>
                    {label}
                    {key === sort.by &&
                      (sort.descending ? (
                        <IconArrowDown size={12} aria-hidden />
                      ) : (
                        <IconArrowUp size={12} aria-hidden />
                      ))}
                  </UnstyledButton>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <PeopleRow key={row.id} row={row} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

interface PersonProps {
  readonly row: PersonRow;
  readonly onOpen: (dialog: PersonDialogState) => void;
}

function PeopleRow({ row, onOpen }: PersonProps) {
  const status = (
    <Badge variant="dot" color={STATUS_COLOURS[row.status]} size="sm" miw="max-content">
      {row.status}
    </Badge>
  );
  const joined = row.joinedMs === undefined ? '–' : formatDate(row.joinedMs);
  const lastActive =
    row.lastActiveMs === undefined ? '–' : <Timestamp at={new Date(row.lastActiveMs).toISOString()} />;
  return (
    <Table.Tr>
      <Table.Td className={classes.person}>
        <Text size="sm" fw={500}>
          {row.name === '' ? '–' : row.name}
        </Text>
        <div className={classes.below}>
          <div>{row.email}</div>
          <div>Joined {joined}</div>
          <div>Last active {lastActive}</div>
        </div>
      </Table.Td>
      <Table.Td className={`${classes.email} ${classes.column}`}>
        <Text size="sm">{row.email}</Text>
      </Table.Td>
      <Table.Td>
        {ROLES[row.role]}
        <div className={classes.below}>{status}</div>
      </Table.Td>
      <Table.Td className={classes.column}>{status}</Table.Td>
      <Table.Td className={`${classes.instant} ${classes.column}`}>{joined}</Table.Td>
      <Table.Td className={`${classes.instant} ${classes.column}`}>{lastActive}</Table.Td>
      <Table.Td>{row.role !== 'owner' && <PersonActions row={row} onOpen={onOpen} />}</Table.Td>
    </Table.Tr>
  );
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
