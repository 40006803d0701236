import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import type { SessionInfo } from '@throughline/contract';
import { useState } from 'react';
import { LoadState } from '../../ui/feedback/load-state.tsx';
import { SearchedTable } from '../../ui/tables/searched-table.tsx';
import type { TableColumn } from '../../ui/tables/table-column.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useEndSession, useSessions } from './queries.ts';

/** Lists the user's sessions, with buttons to end one session or all other sessions. */
export function SessionList() {
  const sessions = useSessions();
  const ending = useEndSession();
  const [outcome, setOutcome] = useState<Outcome>();
  const end = (id: string | undefined) =>
    ending.mutate(id, {
      onSuccess: () =>
        setOutcome({
          type: 'success',
          message: id === undefined ? 'All other sessions were ended.' : 'The session was ended.',
        }),
      onError: (error) => setOutcome(toOutcome(ending.explain(error))),
    });
  const action: TableColumn<SessionInfo> = {
    name: 'Actions',
    hiddenHead: true,
    card: 'plain',
    cell: (session) =>
      session.current ? (
        ''
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={ending.isPending && ending.variables === session.id}
          aria-label={`End the session with ${nameDevice(session)}`}
          onClick={() => end(session.id)}
        >
          End
        </Button>
      ),
  };
  const others = sessions.data?.filter((session) => !session.current) ?? [];
  return (
    <section aria-label="Sessions">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h3">
            Sessions
          </Title>
          {others.length > 0 && (
            <Button size="xs" variant="default" loading={ending.isPending} onClick={() => end(undefined)}>
              End all others
            </Button>
          )}
        </Group>
        <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
        <LoadState
          query={sessions}
          what="your sessions"
          failure="Your sessions could not be loaded."
          rows={2}
        />
        {sessions.isSuccess && (
          <SearchedTable
            id="sessions"
            label="Your sessions"
            what="sessions"
            columns={[...COLUMNS, action]}
            rows={sessions.data}
            getKey={({ id }) => id}
            cardsBelow={CARDS_PX}
          />
        )}
        {sessions.data?.some((session) => session.country !== null) === true && (
          <Text size="xs" c="dimmed">
            Location is estimated from the IP address (nro.net).
          </Text>
        )}
      </Stack>
    </section>
  );
}

/** Width of the list in pixels below which each session is a card, not a table row. */
const CARDS_PX = 680;

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** Formats the location of a session's last use: the IP address and the country in which the address is registered. */
function formatPlace({ address, country }: SessionInfo): string {
  if (address === null) return 'Unknown location';
  return country === null ? address : `${countries.of(country) ?? country} (${address})`;
}

/** Like {@link formatPlace}. The address stays on one line. */
function Place({ session }: { readonly session: SessionInfo }) {
  const { address, country } = session;
  if (address === null) return formatPlace(session);
  if (country === null) return <span style={{ whiteSpace: 'nowrap' }}>{address}</span>;
  return (
    <>
      {countries.of(country) ?? country} <span style={{ whiteSpace: 'nowrap' }}>({address})</span>
    </>
  );
}

function nameDevice({ device }: SessionInfo): string {
  return device ?? 'Unknown device';
}

const COLUMNS: readonly TableColumn<SessionInfo>[] = [
  {
    name: 'Device',
    kind: 'text',
    card: 'title',
    value: nameDevice,
    cell: (session) => (
      <Group gap="xs">
        <IconDevices size={18} aria-hidden />
        {nameDevice(session)}
        {session.current && (
          <Badge size="sm" variant="light">
            This session
          </Badge>
        )}
      </Group>
    ),
  },
  {
    name: 'Location',
    kind: 'text',
    wraps: true,
    value: formatPlace,
    cell: (session) => <Place session={session} />,
  },
  {
    name: 'Last active',
    kind: 'time',
    value: ({ lastSeenAt }) => Date.parse(lastSeenAt),
    cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} />,
  },
  {
    name: 'Logged in',
    kind: 'time',
    value: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
];
