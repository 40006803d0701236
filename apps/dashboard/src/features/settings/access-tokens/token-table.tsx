import { Group } from '@mantine/core';
import type { AccessToken } from '@throughline/contract';
import { StateTag } from '../../../ui/layout/badges.tsx';
import { LIFETIME_COLUMNS } from '../../../ui/tables/lifetime-columns.tsx';
import { SearchedTable } from '../../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../../ui/tables/table-column.ts';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { ActionButton } from '../action-button.tsx';
import type { Outcome } from '../outcome.tsx';
import { useRevokeToken } from './queries.ts';

interface TokenActions {
  readonly onRevoked: (id: string) => void;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Width of the list in pixels below which each token is a card, not a table row. */
const CARDS_PX = 680;

const COLUMNS: readonly TableColumn<AccessToken>[] = [
  {
    name: 'Name',
    kind: 'text',
    card: 'title',
    wraps: true,
    value: ({ name }) => name,
    cell: ({ name, expired }) => (
      <Group gap="xs">
        {name}
        {expired && <StateTag tone="grey" label="Expired" />}
      </Group>
    ),
  },
  {
    name: 'Last used',
    kind: 'time',
    value: ({ lastUsedAt }) => (lastUsedAt === null ? null : Date.parse(lastUsedAt)),
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Timestamp at={lastUsedAt} />),
  },
  ...LIFETIME_COLUMNS,
];

/** The user's access tokens, each with a button to revoke it. */
export function TokenTable({
  tokens,
  ...actions
}: TokenActions & { readonly tokens: readonly AccessToken[] }) {
  const revoke: TableColumn<AccessToken> = {
    name: 'Actions',
    hiddenHead: true,
    cell: (token) => <RevokeButton token={token} {...actions} />,
  };
  return (
    <SearchedTable
      id="access-tokens"
      label="Your access tokens"
      what="access tokens"
      columns={[...COLUMNS, revoke]}
      rows={tokens}
      getKey={({ id }) => id}
      cardsBelow={CARDS_PX}
    />
  );
}

function RevokeButton({ token, onRevoked, onOutcome }: TokenActions & { readonly token: AccessToken }) {
  const revoke = useRevokeToken(token);
  return (
    <ActionButton
      size="xs"
      action={revoke}
      done={() => {
        onRevoked(token.id);
        return {
          type: 'success',
          message: token.expired ? 'The access token was removed.' : 'The access token was revoked.',
        };
      }}
      onOutcome={onOutcome}
    >
      {token.expired ? 'Remove' : 'Revoke'}
      <span className="visually-hidden">: {token.name}</span>
    </ActionButton>
  );
}
