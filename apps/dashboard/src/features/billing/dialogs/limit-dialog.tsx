import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { useMayBill } from '../queries.ts';

/** The server's refusal: its message, and whether a larger plan would allow more. */
export interface ReachedLimit {
  readonly message: string;
  readonly hasLargerPlan: boolean;
}

interface LimitDialogProps {
  /** Undefined while the dialog is closed. */
  readonly limit: ReachedLimit | undefined;
  readonly onClose: () => void;
}

/** Shows which plan limit is reached. If there is a larger plan, users who can change the plan get a link to the billing page. */
export function LimitDialog({ limit, onClose }: LimitDialogProps) {
  const mayBill = useMayBill();
  // The text stays while the dialog fades out.
  const [shown, setShown] = useState(limit);
  if (limit !== undefined && limit !== shown) setShown(limit);
  const hasLargerPlan = shown?.hasLargerPlan !== false;
  return (
    <Modal
      opened={useOpenAfterMount(limit !== undefined)}
      onClose={onClose}
      title={hasLargerPlan ? 'Upgrade Required' : 'Limit reached'}
    >
      <Stack>
        <Text size="sm">{shown?.message}</Text>
        {hasLargerPlan && !mayBill && <Text size="sm">Ask the owner of your organization.</Text>}
        <DialogActions onCancel={onClose} cancel={hasLargerPlan ? 'Maybe Later' : 'Close'}>
          {hasLargerPlan && mayBill && <ButtonLink to="/billing">Upgrade Now</ButtonLink>}
        </DialogActions>
      </Stack>
    </Modal>
  );
}
