import { Modal, Stack, Text } from '@mantine/core';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useOpenAfterMount } from '../../ui/use-open-after-mount.ts';
import { useMayBill } from './queries.ts';

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
