import { Button, Modal, Stack, Text } from '@mantine/core';
import { formatLimit, PLANS, type Subscription } from '@throughline/contract';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { NoBreakDates } from '../no-break-dates.tsx';
import { formatDay } from '../plan/subscription-texts.ts';
import { useCancel } from '../queries.ts';

interface CancelDialogProps {
  readonly subscription: Subscription;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation, and states when the plan ends and what the account loses. */
export function CancelDialog({ opened, ...rest }: CancelDialogProps) {
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={rest.onClose} title="Cancel Subscription">
      <Confirmation {...rest} />
    </Modal>
  );
}

function Confirmation({ subscription, onClose }: Omit<CancelDialogProps, 'opened'>) {
  const cancel = useCancel(onClose);
  const { name } = PLANS[subscription.plan];
  const isPastDue = subscription.status === 'past_due';
  const kept = formatLimit('retention', PLANS.free_trial.retentionHours);
  return (
    <Stack>
      <Text size="sm">
        <NoBreakDates>
          {isPastDue
            ? `${name} ends immediately, because its last payment failed.`
            : `${name} stays active until ${formatDay(subscription.currentPeriodEnd)}. You will not be charged again.`}
        </NoBreakDates>
      </Text>
      <Text size="sm">
        After that we stop accepting traces. Traces older than {kept} are hidden and deleted 24 h later.
        {PLANS[subscription.plan].aiInsights && ' AI insights end, too.'}
      </Text>
      <DialogActions problem={cancel.problem} onCancel={onClose} cancel="Keep Subscription" cancelFirst>
        <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel Subscription
        </Button>
      </DialogActions>
    </Stack>
  );
}
