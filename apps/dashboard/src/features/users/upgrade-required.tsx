import { Modal, Stack, Text } from '@mantine/core';
import { formatCount, PLANS, TEXTS } from '@throughline/contract';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useOpenAfterMount } from '../../ui/use-open-after-mount.ts';

interface UpgradeRequiredProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** What stands where a plan has no room for another member. */
export function UpgradeRequired({ opened, onClose }: UpgradeRequiredProps) {
  const { pro } = PLANS;
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={onClose} title="Upgrade Required">
      <Stack>
        <Text size="sm">{TEXTS.freePlanMembers}</Text>
        <Text size="sm" c="dimmed">
          {pro.name} includes {pro.maxMembers} team members, {pro.maxProjects} projects and{' '}
          {formatCount(pro.maxTracesPerMonth)} traces a month, for ${pro.price} a month.
        </Text>
        <DialogActions onCancel={onClose} cancel="Maybe Later">
          <ButtonLink to="/billing">Upgrade Now</ButtonLink>
        </DialogActions>
      </Stack>
    </Modal>
  );
}
