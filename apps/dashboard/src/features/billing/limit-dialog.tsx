import { Button, Group, Modal, Stack, Text } from '@mantine/core';
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Maybe Later
          </Button>
          {mayBill && <ButtonLink to="/billing">Upgrade Now</ButtonLink>}
        </Group>
      </Stack>
    </Modal>
  );
}
