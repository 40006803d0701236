import { Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { CopyField } from '../../../ui/copying/copy-field.tsx';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import { type Outcome, OutcomeNotice } from '../outcome.tsx';
import { type CreatedToken, CreateTokenForm } from './create-token-form.tsx';
import { useAccessTokens } from './queries.ts';
import { TokenTable } from './token-table.tsx';

/** Creates, lists and revokes the user's access tokens. A new token is shown until the page is left. */
export function AccessTokensSection() {
  const tokens = useAccessTokens();
  const [created, setCreated] = useState<CreatedToken>();
  const [outcome, setOutcome] = useState<Outcome>();
  const heading = useRef<HTMLHeadingElement>(null);
  const dropRevoked = (id: string) => {
    setCreated((current) => (current?.id === id ? undefined : current));
    // The button that was pressed disappears together with its row, so the heading gets the focus.
    heading.current?.focus({ preventScroll: true });
  };
  return (
    <section aria-label="Access tokens">
      <Stack>
        <Title order={2} size="h3" ref={heading} tabIndex={-1}>
          Access tokens
        </Title>
        <Text size="sm">
          With a token, a program such as the command <span className="mono">throughline traces</span> can
          read the traces, errors and analytics that you can see. It can change nothing. A new password
          revokes all tokens.
        </Text>
        <CreateTokenForm
          onCreated={(token) => {
            setOutcome(undefined);
            setCreated(token);
          }}
        />
        <div role="status">
          {created !== undefined && (
            <CopyField
              key={created.id}
              value={created.token}
              label="New token"
              copyLabel="Copy token"
              note="Copy the token now. It will not be shown again."
              autoFocus
            />
          )}
        </div>
        <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
        <LoadState
          query={tokens}
          what="your access tokens"
          failure="Your access tokens could not be loaded."
          rows={1}
        />
        {tokens.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            You have no access tokens.
          </Text>
        )}
        {tokens.data !== undefined && tokens.data.length > 0 && (
          <TokenTable tokens={tokens.data} onRevoked={dropRevoked} onOutcome={setOutcome} />
        )}
      </Stack>
    </section>
  );
}
