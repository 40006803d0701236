import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { PLANS, type Subscription, type Tone } from '@throughline/contract';
import { useOpened } from '../../../shell/frame/use-opened.ts';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import notice from '../../../ui/feedback/notice.module.css';
import classes from '../billing.module.css';
import { CancelDialog } from '../dialogs/cancel-dialog.tsx';
import { NoBreakDates } from '../no-break-dates.tsx';
import { useBillingAct, usePortal } from '../queries.ts';
import { describeStanding, formatDay, formatDollars } from './subscription-texts.ts';

/** Statuses without an entry are grey. */
const STATUS_TONES: Partial<Record<Subscription['status'], Tone>> = {
  active: 'green',
  trialing: 'blue',
  cancelled: 'amber',
  expired: 'red',
};

function SubscriptionBadge({ status }: Pick<Subscription, 'status'>) {
  const tone = STATUS_TONES[status] ?? 'grey';
  return (
    <Badge style={{ color: formatToneColour(tone), background: formatToneColour(tone, 'soft') }}>
      {status.replace('_', ' ')}
    </Badge>
  );
}

/** A plan's name, status and price. */
export function PlanHeading({ subscription }: { readonly subscription: Subscription }) {
  const { plan, status, billingCycle, price, payment } = subscription;
  return (
    <div>
      <Group gap="sm">
        <Title order={2}>{PLANS[plan].name}</Title>
        <SubscriptionBadge status={status} />
      </Group>
      {payment.provider !== 'operator' && (
        <Text>
          <strong className={classes.price}>
            {formatDollars(billingCycle === 'yearly' ? price.yearly : price.monthly)}
          </strong>{' '}
          {billingCycle === 'yearly' ? 'per year' : 'per month'}
        </Text>
      )}
    </div>
  );
}

/** Note for accounts that cannot change their plan: the server's operator sets plans. */
function OperatorNote() {
  return (
    <div className={notice.plain}>
      <IconInfoCircle size={16} aria-hidden className={notice.mark} />
      <Text size="sm" className={notice.words}>
        The operator of this server sets plans, and nothing is charged here. Ask the operator for another
        plan.
      </Text>
    </div>
  );
}

/**
 * Shows the current plan, its billing period and the next payment, with buttons to pay, to cancel the plan, and to withdraw a cancellation
 * or a change.
 */
export function CurrentPlan({ subscription }: { readonly subscription: Subscription }) {
  const { plan, status, price, nextPlan, nextPayment, endedPlan, payment } = subscription;
  const cancelling = useOpened();
  const reactivation = useBillingAct('reactivate', 'Your subscription will continue.');
  const paying = useBillingAct('pay', 'Thank you. The payment went through.');
  const portal = usePortal();
  const standing = describeStanding(subscription);
  const isPaid = price.monthly > 0;
  const isFree = payment.provider === 'operator';
  // A cancellation or a change of plan can be withdrawn. While a payment is due, the server rejects the withdrawal: the user must first
  // pay, or cancel the plan.
  const mayContinue = status === 'active' && (subscription.cancelAtPeriodEnd || nextPlan !== null);
  return (
    <section className={classes.card} aria-label="Current plan">
      <Group justify="space-between" align="flex-start">
        <PlanHeading subscription={subscription} />
        {payment.label !== null && (
          <Badge variant="outline" color="gray" className={classes.label}>
            {payment.label}
          </Badge>
        )}
      </Group>
      {endedPlan !== null && <Text size="sm">Your last plan was {PLANS[endedPlan].name}.</Text>}
      {standing !== undefined && (
        <Text size="sm" role="status">
          <NoBreakDates>{standing}</NoBreakDates>
          {nextPlan !== null &&
            ` ${status === 'past_due' ? 'Once paid, the plan' : 'The plan'} will be ${PLANS[nextPlan.plan].name}, billed ${nextPlan.billingCycle}.`}
        </Text>
      )}
      {payment.chosenBy === 'operator' && <OperatorNote />}
      <dl className={classes.facts}>
        <div>
          <dt>Current period</dt>
          <dd>
            {formatDay(subscription.currentPeriodStart)} to {formatDay(subscription.currentPeriodEnd)}
          </dd>
        </div>
        {!isFree && (
          <>
            <div>
              <dt>Next billing date</dt>
              <dd>{nextPayment === null ? 'None' : formatDay(nextPayment.at)}</dd>
            </div>
            <div>
              <dt>Amount</dt>
              <dd>{nextPayment === null ? formatDollars(0) : formatDollars(nextPayment.amount)}</dd>
            </div>
          </>
        )}
      </dl>
      <Stack gap="xs">
        <Group gap="xs">
          {status === 'past_due' && (
            <Button loading={paying.isPending} onClick={() => paying.mutate()}>
              Pay now
            </Button>
          )}
          {mayContinue && (
            <Button
              variant={subscription.cancelAtPeriodEnd ? 'filled' : 'default'}
              loading={reactivation.isPending}
              onClick={() => reactivation.mutate()}
            >
              {subscription.cancelAtPeriodEnd ? 'Reactivate Subscription' : `Keep ${PLANS[plan].name}`}
            </Button>
          )}
          {payment.portal && (
            <Button variant="default" loading={portal.isPending} onClick={() => portal.mutate()}>
              Card, address and VAT id
            </Button>
          )}
          {!isFree && (
            <Button
              variant="default"
              color="red"
              disabled={!isPaid || subscription.cancelAtPeriodEnd}
              onClick={cancelling.open}
            >
              Cancel Subscription
            </Button>
          )}
        </Group>
      </Stack>
      {cancelling.wasOpened && (
        <CancelDialog subscription={subscription} opened={cancelling.isOpen} onClose={cancelling.close} />
      )}
    </section>
  );
}
