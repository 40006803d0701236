import { Modal, Stack, Text } from '@mantine/core';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useOpenAfterMount } from '../../ui/use-open-after-mount.ts';
import { useMayBill } from './queries.ts';

interface LimitDialogProps {
  /** What the server said; undefined: closed. */
  readonly message: string | undefined;
  readonly onClose: () => void;
}

/** A limit of the plan was met: what is full, and the way to a larger plan for whoever may go it. */
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
