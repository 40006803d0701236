import { Button, Group, Stack, TextInput } from '@mantine/core';
import { Email, PersonName, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { AddressNotice } from './address-notice.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useUpdateProfile } from './queries.ts';

/** Form for the user's name and email address. */
export function ProfileTab() {
  const { user } = useSignedIn();
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [outcome, setOutcome] = useState<Outcome>();
  const update = useUpdateProfile();
  const unchanged = name === user.name && email === user.email;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const message =
      name.trim() === '' || email.trim() === ''
        ? TEXTS.allFieldsRequired
        : (PersonName.safeParse(name).error ?? Email.safeParse(email).error)?.issues[0]?.message;
    if (message !== undefined) {
      setOutcome({ type: 'error', message });
      return;
    }
    setOutcome(undefined);
    update.mutate(
      { name, email },
      {
        onSuccess: (answer) => {
          setName(answer.user.name);
          setEmail(answer.user.email);
          setOutcome({ type: 'success', message: 'Profile updated successfully!' });
        },
        onError: (error) => setOutcome(toOutcome(update.explain(error))),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Profile">
      <Stack>
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <AddressNotice onOutcome={setOutcome} />
        <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
        <Group>
          <Button type="submit" disabled={unchanged} loading={update.isPending}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
