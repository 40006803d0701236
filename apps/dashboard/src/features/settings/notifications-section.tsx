import { Stack, Switch, Text, Title } from '@mantine/core';
import { DIGEST_HOUR_UTC, type DigestChoice } from '@throughline/contract';
import { useId, useState } from 'react';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { LoadState } from '../../ui/feedback/load-state.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useChooseDigest, useDigestChoice } from './queries.ts';

const DIGEST_TIME = `${String(DIGEST_HOUR_UTC).padStart(2, '0')}:00 UTC`;

/** The emails that the user can turn off. */
export function NotificationsSection() {
  const choice = useDigestChoice();
  return (
    <section aria-label="Notifications">
      <Stack gap="sm">
        <Title order={2} size="h3">
          Notifications
        </Title>
        <LoadState
          query={choice}
          what="your notifications"
          failure="Your notifications could not be loaded."
          rows={1}
        />
        {choice.isSuccess && <DigestSwitch choice={choice.data} />}
      </Stack>
    </section>
  );
}

function DigestSwitch({ choice }: { readonly choice: DigestChoice }) {
  const choose = useChooseDigest();
  const [outcome, setOutcome] = useState<Outcome>();
  const description = useId();
  const change = (on: boolean) =>
    choose.mutate(on, {
      onSuccess: () =>
        setOutcome({ type: 'success', message: `The weekly digest is turned ${on ? 'on' : 'off'}.` }),
      onError: (error) => setOutcome(toOutcome(choose.explain(error))),
    });
  return (
    <>
      <Stack gap={4}>
        <Switch
          label="Weekly digest"
          aria-describedby={description}
          checked={choose.isPending ? choose.variables : choice.on}
          onChange={({ currentTarget: { checked } }) => change(checked)}
        />
        <Text id={description} size="sm" c="dimmed">
          An email on Mondays at {DIGEST_TIME} with each project's requests, error rate, P95, new errors,
          insights and incidents.
        </Text>
      </Stack>
      <Obstacle choice={choice} />
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
    </>
  );
}

/** Describes why no digest arrives although the digest is turned on. */
function Obstacle({ choice: { on, mailServer } }: { readonly choice: DigestChoice }) {
  const { user } = useSignedIn();
  if (!on || (mailServer && user.emailVerified)) return null;
  return (
    <Text size="sm">
      {mailServer
        ? 'No digest is sent until you confirm your email address.'
        : 'This server sends no email. Ask its operator to set SMTP_URL.'}
    </Text>
  );
}
