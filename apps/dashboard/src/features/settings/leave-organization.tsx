import { Button, Modal, Stack, Text } from '@mantine/core';
import type { Organization } from '@throughline/contract';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { useLeaveOrganization } from './queries.ts';

interface LeaveOrganizationProps {
  readonly organization: Organization;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: (message: string) => void;
}

/** Asks for confirmation and explains the effects of leaving. */
export function LeaveOrganization({ organization, opened, onClose, onDone }: LeaveOrganizationProps) {
  const leaving = useLeaveOrganization();
  const leave = () =>
    leaving.mutate(organization.id, {
      onSuccess: () => {
        onClose();
        onDone(`You have left ${organization.name}.`);
      },
    });
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={onClose} title="Leave organization?">
      <Stack>
        <Text size="sm">
          You lose access to the projects and traces of <strong>{organization.name}</strong> immediately. You
          need a new invitation to rejoin. Your account and your own projects stay.
        </Text>
        <DialogActions problem={leaving.problem} onCancel={onClose}>
          <Button color="red" loading={leaving.isPending} onClick={leave} data-autofocus>
            Leave organization
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
}
