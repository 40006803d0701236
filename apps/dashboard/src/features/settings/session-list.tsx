import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import type { SessionInfo } from '@throughline/contract';
import { useState } from 'react';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useEndSession, useSessions } from './queries.ts';
import classes from './settings.module.css';

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
        {sessions.isPending && <RowsSkeleton what="your sessions" rows={2} />}
        {sessions.isError && (
          <ErrorNotice
            what="Your sessions could not be loaded."
            error={sessions.error}
            onRetry={() => void sessions.refetch()}
            retrying={sessions.isFetching}
          />
        )}
        {sessions.isSuccess && (
          <ul className={classes.list}>
            {sessions.data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={ending.isPending && ending.variables === session.id}
                onEnd={() => end(session.id)}
              />
            ))}
          </ul>
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

interface SessionRowProps {
  readonly session: SessionInfo;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** Formats the location of a session's last use: the IP address and the country in which the address is registered. */
function formatPlace({ address, country }: SessionInfo): string {
  if (address === null) return 'Unknown location';
  return country === null ? address : `${countries.of(country) ?? country} (${address})`;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const device = session.device ?? 'Unknown device';
  return (
    <li className={classes.row}>
      <IconDevices size={18} aria-hidden />
      <div className={classes.about}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {device}
          </Text>
          {session.current && (
            <Badge size="sm" variant="light">
              This session
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {formatPlace(session)} · last active <Timestamp at={session.lastSeenAt} /> · signed in{' '}
          <Timestamp at={session.createdAt} />
        </Text>
      </div>
      {!session.current && (
        <Button
          size="xs"
          variant="default"
          loading={isEnding}
          aria-label={`End the session with ${device}`}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}
