import { Button, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import {
  type ChangePreview,
  listFeatures,
  PLANS,
  type PlanId,
  planRank,
  type Subscription,
  TEXTS,
} from '@throughline/contract';
import { useState } from 'react';
import { preferReason } from '../../../shell/session/refusal.ts';
import type { FormProblem } from '../../../ui/feedback/form-error.tsx';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { NoBreakDates } from '../no-break-dates.tsx';
import { formatDay, formatDollars } from '../plan/subscription-texts.ts';
import { describeLosses } from '../plan/what-ends.ts';
import { type Choice, useChoosePlan, usePreview } from '../queries.ts';

interface UpgradeDialogProps {
  readonly subscription: Subscription;
  readonly choice: Choice | undefined;
  readonly onClose: () => void;
}

/** Shows a plan's price and start date before the user confirms the change. */
export function UpgradeDialog({ subscription, choice, onClose }: UpgradeDialogProps) {
  // Keeps rendering the last choice while the dialog fades out.
  const [shown, setShown] = useState<Choice>();
  if (choice !== undefined && choice !== shown) setShown(choice);
  const opened = useOpenAfterMount(choice !== undefined);
  if (shown === undefined) return null;
  const isUpgrade = planRank(shown.plan) > planRank(subscription.plan);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`${isUpgrade ? 'Upgrade to' : 'Change to'} ${PLANS[shown.plan].name}`}
    >
      <Confirmation subscription={subscription} choice={shown} isUpgrade={isUpgrade} onClose={onClose} />
    </Modal>
  );
}

interface ConfirmationProps {
  readonly subscription: Subscription;
  readonly choice: Choice;
  readonly isUpgrade: boolean;
  readonly onClose: () => void;
}

function Confirmation({ subscription, choice, isUpgrade, onClose }: ConfirmationProps) {
  const preview = usePreview(choice);
  const change = useChoosePlan(onClose);
  const { label } = subscription.payment;
  return (
    <Stack>
      <Text size="sm">{listFeatures(PLANS[choice.plan]).join(' · ')}</Text>
      {preview.isPending && <Skeleton height={80} aria-label="Loading the price" />}
      {preview.data !== undefined && (
        <>
          <Cost preview={preview.data} />
          <Losses from={subscription.plan} to={choice.plan} preview={preview.data} />
        </>
      )}
      {label !== null && (
        <Text size="sm" fw={600}>
          {label}
        </Text>
      )}
      <DialogActions
        problem={change.problem ?? describePriceFailure(preview.error)}
        onCancel={onClose}
        cancel={isUpgrade ? 'Maybe Later' : 'Cancel'}
      >
        <Button
          data-autofocus
          disabled={preview.data === undefined}
          loading={change.isPending}
          onClick={() => {
            if (preview.data !== undefined) change.mutate({ ...choice, pricedAt: preview.data.at });
          }}
        >
          {isUpgrade ? 'Upgrade Now' : 'Confirm'}
        </Button>
      </DialogActions>
    </Stack>
  );
}

const NO_PRICE = 'The price could not be loaded.';

/** Returns why the plan cannot be chosen, or why its price is not known. */
function describePriceFailure(error: Error | null): FormProblem | undefined {
  if (error === null) return undefined;
  const unreachable = `${NO_PRICE} ${TEXTS.networkError}`;
  return { message: preferReason(error, { wordless: NO_PRICE, unreachable }), error };
}

interface LossesProps {
  readonly from: PlanId;
  readonly to: PlanId;
  readonly preview: ChangePreview;
}

function Losses({ from, to, preview: { takesEffect, at } }: LossesProps) {
  const since = takesEffect === 'now' ? 'From now on' : `From ${formatDay(at)} on`;
  const losses = describeLosses(from, to, since);
  if (losses.length === 0) return null;
  return (
    <Text size="sm">
      <NoBreakDates>{losses.join(' ')}</NoBreakDates>
    </Text>
  );
}

function Cost({ preview }: { readonly preview: ChangePreview }) {
  const { takesEffect, at, dueAmount, price, billingCycle, lines } = preview;
  const period = billingCycle === 'yearly' ? 'per year' : 'per month';
  return (
    <>
      <Table withRowBorders={false}>
        <Table.Tbody>
          {lines.map(({ description, amount }) => (
            <Table.Tr key={description}>
              <Table.Td>{description}</Table.Td>
              <Table.Td ta="right" className="figures">
                {formatDollars(amount)}
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{takesEffect === 'now' ? 'Due now' : `Due on ${formatDay(at)}`}</Table.Th>
            <Table.Td ta="right" className="figures" fw={600}>
              {formatDollars(dueAmount)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        <NoBreakDates>
          {takesEffect === 'now'
            ? `Starts today. Renews at ${formatDollars(price)} ${period}.`
            : `Your current plan stays until ${formatDay(at)}. From then on you pay ${formatDollars(price)} ${period}.`}
        </NoBreakDates>
      </Text>
    </>
  );
}
