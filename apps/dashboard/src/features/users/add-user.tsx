import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { Email, type Invitation, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { CopyField } from '../../ui/copying/copy-field.tsx';
import type { FormProblem } from '../../ui/feedback/form-error.tsx';
import { notifyFailure } from '../../ui/feedback/notify-failure.tsx';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { findMembersLimit, type MembersLimit } from './members-limit.ts';
import { useInvite } from './queries.ts';

interface AddUserProps {
  readonly organizationId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onUpgrade: (limit: MembersLimit) => void;
}

/** Dialog that invites a user, then shows the invitation link, which also works without a mail server. */
export function AddUser({ opened, onClose, ...props }: AddUserProps) {
  const [invitation, setInvitation] = useState<Invitation>();
  return (
    <Modal
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      // Resets only after the transition, so that the content stays while the dialog fades out.
      onExitTransitionEnd={() => setInvitation(undefined)}
      title={invitation === undefined ? 'Add New User' : 'Invitation sent'}
    >
      {invitation === undefined ? (
        <InviteForm {...props} onInvited={setInvitation} onCancel={onClose} />
      ) : (
        <Stack>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            If this server sends email, <strong>{invitation.email}</strong> receives this link. You can also
            send the link yourself. It works for 7 days, for this address only.
          </Text>
          <CopyField value={invitation.link} label="Invitation link" copyLabel="Copy invitation link" />
          <Group justify="flex-end">
            <Button onClick={onClose} autoFocus>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface InviteFormProps {
  readonly organizationId: string;
  readonly onInvited: (invitation: Invitation) => void;
  readonly onUpgrade: (limit: MembersLimit) => void;
  readonly onCancel: () => void;
}

function InviteForm({ organizationId, onInvited, onUpgrade, onCancel }: InviteFormProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'admin' | 'developer'>('developer');
  const [problem, setProblem] = useState<FormProblem>();
  const invite = useInvite(organizationId);
  const refuse = (error: Error) => {
    const limit = findMembersLimit(error);
    if (limit !== undefined) {
      const { message, upgradeTo } = limit;
      const mayUpgrade = upgradeTo !== null && message !== TEXTS.freePlanMembers;
      notifyFailure(mayUpgrade ? `${message} Please upgrade your plan to add team members.` : message);
      onUpgrade(limit);
      return;
    }
    setProblem(invite.explain(error));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const issue =
      name.trim() === '' || email.trim() === ''
        ? TEXTS.allFieldsRequired
        : Email.safeParse(email).error?.issues[0]?.message;
    setProblem({ message: issue });
    if (issue !== undefined) return;
    invite.mutate(
      { name, email, role },
      {
        onSuccess: (answer) => {
          notifySuccess(
            'User created successfully!',
            `An invitation was sent to ${answer.invitation.email}.`,
          );
          onInvited(answer.invitation);
        },
        onError: refuse,
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Full Name"
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email Address"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Radio.Group
          label="Role"
          value={role}
          onChange={(value) => setRole(value === 'admin' ? 'admin' : 'developer')}
        >
          <Group mt="xs">
            <Radio value="developer" label="Developer" />
            <Radio value="admin" label="Admin" />
          </Group>
        </Radio.Group>
        <DialogActions problem={problem} onCancel={onCancel}>
          <Button type="submit" loading={invite.isPending}>
            Add User
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
