import { Button, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import type { PersonRow } from './people.ts';
import {
  useRemoveMember,
  useResendInvitation,
  useRevokeInvitation,
  useSetRole,
  useTransferOwnership,
} from './queries.ts';

export interface PersonDialogState {
  readonly kind: 'role' | 'owner' | 'delete' | 'resend' | 'revoke';
  readonly row: PersonRow;
}

interface PersonDialogProps {
  readonly organizationId: string;
  readonly dialog: PersonDialogState | undefined;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<PersonDialogState['kind'], string>> = {
  role: 'Change role',
  owner: 'Transfer ownership?',
  delete: 'Delete User',
  resend: 'Send the invitation again?',
  revoke: 'Revoke invitation?',
};

/** Dialog for the actions on a member or invitation; each action explains its effect and asks for confirmation. */
export function PersonDialog({ organizationId, dialog, onClose }: PersonDialogProps) {
  // Keeps rendering the last content while the dialog fades out.
  const [shown, setShown] = useState<PersonDialogState>();
  if (dialog !== undefined && dialog !== shown) setShown(dialog);
  return (
    <Modal
      opened={useOpenAfterMount(dialog !== undefined)}
      onClose={onClose}
      title={shown === undefined ? '' : TITLES[shown.kind]}
    >
      {shown !== undefined && (
        <Confirmation
          key={`${shown.kind} ${shown.row.id}`}
          organizationId={organizationId}
          {...shown}
          onDone={onClose}
        />
      )}
    </Modal>
  );
}

interface ConfirmationProps extends PersonDialogState {
  readonly organizationId: string;
  readonly onDone: () => void;
}

function Confirmation({ organizationId, kind, row, onDone }: ConfirmationProps) {
  const setRole = useSetRole(organizationId);
  const transferOwnership = useTransferOwnership(organizationId);
  const remove = useRemoveMember(organizationId);
  const resend = useResendInvitation(organizationId);
  const revoke = useRevokeInvitation(organizationId);
  const [role, setChosen] = useState<'admin' | 'developer'>(row.role === 'admin' ? 'admin' : 'developer');
  const who = row.name === '' ? row.email : row.name;
  const done = (message: string) => () => {
    notifySuccess(message);
    onDone();
  };
  const acts = {
    role: {
      label: 'Change role',
      mutation: setRole,
      run: () => setRole.mutate({ userId: row.id, role }, { onSuccess: done(`${who} is now ${role}.`) }),
      text: 'Takes effect immediately.',
    },
    owner: {
      label: 'Transfer',
      mutation: transferOwnership,
      run: () => transferOwnership.mutate(row.id, { onSuccess: done(`${who} is now the owner.`) }),
      text: `${who} becomes the owner and manages users and billing. You become an admin. You cannot undo this.`,
    },
    delete: {
      label: 'Delete User',
      mutation: remove,
      run: () => remove.mutate(row.id, { onSuccess: done('User deleted successfully!') }),
      text: `${who} loses access immediately. The projects and all traces stay, and the traces still count towards the month's quota.`,
    },
    resend: {
      label: 'Send again',
      mutation: resend,
      run: () => resend.mutate(row.id, { onSuccess: done(`The invitation is on its way to ${row.email}.`) }),
      text: `${row.email} receives the same link again. It works for another 7 days.`,
    },
    revoke: {
      label: 'Revoke invitation',
      mutation: revoke,
      run: () => revoke.mutate(row.id, { onSuccess: done('The invitation was revoked.') }),
      text: `The link of ${row.email} stops working.`,
    },
  } as const;
  const act = acts[kind];
  const dangerous = kind === 'delete' || kind === 'revoke' || kind === 'owner';
  return (
    <Stack>
      <Text size="sm">{act.text}</Text>
      {kind === 'role' && (
        <Radio.Group
          label="Role"
          value={role}
          onChange={(value) => setChosen(value === 'admin' ? 'admin' : 'developer')}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="developer"
              label="Developer"
              description="Reads traces, analytics, projects and keys; edits errors and insights"
              data-autofocus={role === 'developer' || undefined}
            />
            <Radio
              value="admin"
              label="Admin"
              description="Also creates, changes, publishes and deletes projects, replaces their keys, and deletes and shares traces"
              data-autofocus={role === 'admin' || undefined}
            />
          </Stack>
        </Radio.Group>
      )}
      <DialogActions problem={act.mutation.problem} onCancel={onDone}>
        <Button
          {...(dangerous ? { color: 'red' } : {})}
          loading={act.mutation.isPending}
          onClick={act.run}
          data-autofocus={kind !== 'role' || undefined}
        >
          {act.label}
        </Button>
      </DialogActions>
    </Stack>
  );
}
