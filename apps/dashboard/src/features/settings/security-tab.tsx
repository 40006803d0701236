import { Button, Group, PasswordInput, Stack, Title } from '@mantine/core';
import { PASSWORD_MIN_AT_CHANGE, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { findPasswordProblem } from '../auth/index.ts';
import { AccessTokensSection } from './access-tokens/access-tokens-section.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useChangePassword, useSessions } from './queries.ts';
import { SessionList } from './session-list.tsx';

/** Settings tab for the password, the user's sessions and the user's access tokens. */
export function SecurityTab() {
  const sessions = useSessions();
  return (
    <Stack gap="xl">
      <PasswordForm />
      <SessionList />
      {/* Not shown before the sessions, which would move its form down when they appear. */}
      {!sessions.isPending && <AccessTokensSection />}
    </Stack>
  );
}

const EMPTY = { current: '', next: '', confirmation: '' };

function PasswordForm() {
  const { user } = useSignedIn();
  const [values, setValues] = useState(EMPTY);
  const [outcome, setOutcome] = useState<Outcome>();
  const change = useChangePassword();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const message =
      values.current === '' ? TEXTS.allFieldsRequired : findPasswordProblem(values.next, values.confirmation);
    if (message !== undefined) {
      setOutcome({ type: 'error', message });
      return;
    }
    setOutcome(undefined);
    change.mutate(
      { currentPassword: values.current, newPassword: values.next },
      {
        onSuccess: (answer) => {
          setValues(EMPTY);
          setOutcome({ type: 'success', message: answer.message });
        },
        onError: (error) => setOutcome(toOutcome(change.explain(error))),
      },
    );
  };
  const field = (name: keyof typeof EMPTY) => ({
    value: values[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-label="Password">
      <Stack>
        <Title order={2} size="h3">
          Password
        </Title>
        {/* Shows password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput label="Current password" autoComplete="current-password" {...field('current')} />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_MIN_AT_CHANGE} characters`}
          autoComplete="new-password"
          {...field('next')}
        />
        <PasswordInput label="Confirm new password" autoComplete="new-password" {...field('confirmation')} />
        <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Update password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
