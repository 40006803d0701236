import { Modal, Stack, Text } from '@mantine/core';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { useMayBill } from '../queries.ts';

interface LimitDialogProps {
  /** The server's message; undefined closes the dialog. */
  readonly message: string | undefined;
  readonly onClose: () => void;
}

/** Says which limit of the plan is reached, and links to a larger plan for people who may change it. */
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
