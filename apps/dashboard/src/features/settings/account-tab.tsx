import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLogout } from '../../shell/session/logout.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
import { useDeleteAccount, useIsPaidFor } from './queries.ts';

const CONFIRMATION = 'DELETE';

/** Settings tab that deletes the user's account. */
export function AccountTab() {
  const { organization } = useSignedIn();
  const logout = useLogout();
  const removal = useDeleteAccount();
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const isPaid = useIsPaidFor(organization);
  const close = () => {
    setOpened(false);
    setTyped('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== CONFIRMATION) {
      setOutcome({ type: 'error', message: 'Please type DELETE to confirm account deletion.' });
      return;
    }
    removal.mutate(undefined, {
      onSuccess: logout,
      onError: (error) => setOutcome(toOutcome(removal.explain(error))),
      onSettled: close,
    });
  };
  return (
    <Stack>
      <Text fw={600}>Delete account</Text>
      <Text size="sm" c="dimmed">
        {organization === null
          ? 'This deletes your account, its projects and all traces.'
          : `This deletes your account, the organization ${organization.name}, its projects and all traces.`}
      </Text>
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      <Group>
        <Button color="red" disabled={isPaid !== false} onClick={() => setOpened(true)}>
          {isPaid === true ? 'Cancel Subscription First' : 'Delete Account'}
        </Button>
      </Group>
      <Modal opened={opened} onClose={close} title="Confirm Account Deletion">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">This action cannot be undone.</Text>
            <TextInput
              label={`Type ${CONFIRMATION} to confirm`}
              data-autofocus
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <DialogActions onCancel={close}>
              <Button type="submit" color="red" disabled={typed !== CONFIRMATION || removal.isPending}>
                {removal.isPending ? 'Deleting...' : 'Delete Account'}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      </Modal>
    </Stack>
  );
}
