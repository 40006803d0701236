import { Modal, Stack, Text } from '@mantine/core';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { useMayBill } from '../queries.ts';

interface LimitDialogProps {
  /** The server's message; undefined while the dialog is closed. */
  readonly message: string | undefined;
  readonly onClose: () => void;
}

/** Shows which plan limit is reached. Users who can change the plan get a link to a larger plan. */
export function LimitDialog({ message, onClose }: LimitDialogProps) {
  const mayBill = useMayBill();
  return (
    <Modal opened={useOpenAfterMount(message !== undefined)} onClose={onClose} title="Upgrade Required">
      <Stack>
        <Text size="sm">{message}</Text>
        {!mayBill && <Text size="sm">Please ask the owner of your organization.</Text>}
        <DialogActions onCancel={onClose} cancel="Maybe Later">
          {mayBill && <ButtonLink to="/billing">Upgrade Now</ButtonLink>}
        </DialogActions>
      </Stack>
    </Modal>
  );
}
