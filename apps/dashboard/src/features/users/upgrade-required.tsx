import { Modal, Stack, Text } from '@mantine/core';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { describeUpgrade, type MembersLimit } from './members-limit.ts';

interface UpgradeRequiredProps {
  readonly refusal: MembersLimit;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/**
 * Dialog that shows that the plan's member limit is reached. If a larger plan allows more members, the dialog describes this plan and links
 * to it.
 */
export function UpgradeRequired({ refusal, opened, onClose }: UpgradeRequiredProps) {
  const upgrade = describeUpgrade(refusal);
  return (
    <Modal
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      title={upgrade === undefined ? 'Member limit reached' : 'Upgrade Required'}
    >
      <Stack>
        <Text size="sm">{refusal.message}</Text>
        {upgrade !== undefined && (
          <Text size="sm" c="dimmed">
            {upgrade}
          </Text>
        )}
        {/* If there is no larger plan, the dialog can only be closed: the user must first remove a member. */}
        <DialogActions onCancel={onClose} cancel={upgrade === undefined ? 'Close' : 'Maybe Later'}>
          {upgrade !== undefined && <ButtonLink to="/billing">Upgrade Now</ButtonLink>}
        </DialogActions>
      </Stack>
    </Modal>
  );
}
