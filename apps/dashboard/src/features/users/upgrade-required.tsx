import { Modal, Stack, Text } from '@mantine/core';
import { formatCount, formatCounted, PLANS, UNLIMITED } from '@throughline/contract';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import type { MembersRefusal } from './members-refusal.ts';

interface UpgradeRequiredProps {
  readonly refusal: MembersRefusal;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Dialog that shows why the plan allows no further member, and which plan does. */
export function UpgradeRequired({ refusal, opened, onClose }: UpgradeRequiredProps) {
  const plan = refusal.upgradeTo === null ? undefined : PLANS[refusal.upgradeTo];
  return (
    <Modal
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      title={plan === undefined ? 'Member limit reached' : 'Upgrade Required'}
    >
      <Stack>
        <Text size="sm">{refusal.message}</Text>
        {plan !== undefined && (
          <Text size="sm" c="dimmed">
            {plan.name} includes {formatAmount(plan.maxMembers, 'team member')},{' '}
            {formatAmount(plan.maxProjects, 'project')} and {formatCount(plan.maxTracesPerMonth)} traces per
            month, for ${plan.price} per month.
          </Text>
        )}
        {/* Without a larger plan, the only way is to remove somebody. */}
        <DialogActions onCancel={onClose} cancel={plan === undefined ? 'Close' : 'Maybe Later'}>
          {plan !== undefined && <ButtonLink to="/billing">Upgrade Now</ButtonLink>}
        </DialogActions>
      </Stack>
    </Modal>
  );
}

function formatAmount(limit: number, thing: string): string {
  return limit === UNLIMITED ? `unlimited ${thing}s` : formatCounted(limit, thing);
}
