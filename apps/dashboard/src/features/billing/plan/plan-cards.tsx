import { Badge, Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import {
  type BillingCycle,
  computePrice,
  listFeatures,
  listPlansOfKind,
  MONTHS_PAID_A_YEAR,
  nextPlan,
  type Plan,
  type PlanKind,
  planRank,
  type Subscription,
} from '@throughline/contract';
import { useState } from 'react';
import classes from '../billing.module.css';
import type { Choice } from '../queries.ts';
import { formatDollars } from './subscription-texts.ts';

interface PlanCardsProps {
  readonly subscription: Subscription;
  readonly kind: PlanKind;
  readonly onChoose: (choice: Choice) => void;
  readonly onCancel: () => void;
}

/** Cards of the plans for the account's type. Marks the current plan; the next larger plan has the primary button. */
export function PlanCards({ subscription, kind, onChoose, onCancel }: PlanCardsProps) {
  const [cycle, setCycle] = useState<BillingCycle>(subscription.billingCycle);
  const next = nextPlan(subscription.plan, kind);
  const isChosenHere = subscription.payment.chosenBy === 'account';
  return (
    <section aria-label="Plans" className={classes.section}>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Plans
        </Title>
        {isChosenHere && (
          <Group gap="sm">
            <Text size="sm" c="dimmed">
              Yearly: {12 - MONTHS_PAID_A_YEAR} months free
            </Text>
            <SegmentedControl
              aria-label="Billing cycle"
              value={cycle}
              onChange={(value) => setCycle(value === 'yearly' ? 'yearly' : 'monthly')}
              data={[
                { value: 'monthly', label: 'Monthly' },
                { value: 'yearly', label: 'Yearly' },
              ]}
            />
          </Group>
        )}
      </Group>
      <ul className={classes.plans}>
        {listPlansOfKind(kind).map((plan) => (
          <li key={plan.id} className={classes.plan} data-current={plan.id === subscription.plan}>
            <Group justify="space-between">
              <Title order={3}>{plan.name}</Title>
              {plan.popular && <Badge size="sm">Most popular</Badge>}
              {plan.id === subscription.plan && (
                <Badge size="sm" variant="outline" color="gray">
                  Current
                </Badge>
              )}
            </Group>
            {isChosenHere && (
              <Text>
                <strong className={classes.price}>{formatDollars(computePrice(plan.id, cycle))}</strong>{' '}
                {cycle === 'yearly' ? 'per year' : 'per month'}
              </Text>
            )}
            <ul className={classes.limits}>
              {listFeatures(plan).map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
            {isChosenHere && (
              <PlanButton
                plan={plan}
                cycle={cycle}
                subscription={subscription}
                isNext={plan.id === next?.id}
                onChoose={onChoose}
                onCancel={onCancel}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlanButtonProps extends Omit<PlanCardsProps, 'kind'> {
  readonly plan: Plan;
  readonly cycle: BillingCycle;
  readonly isNext: boolean;
}

function PlanButton({ plan, cycle, subscription, isNext, onChoose, onCancel }: PlanButtonProps) {
  const { plan: current, billingCycle, price } = subscription;
  const isPaid = price.monthly > 0;
  if (plan.price === 0) {
    return (
      <Button variant="default" disabled={!isPaid || subscription.cancelAtPeriodEnd} onClick={onCancel}>
        {isPaid ? 'Cancel Subscription' : 'Free'}
      </Button>
    );
  }
  const isSame = plan.id === current && cycle === billingCycle;
  if (isSame) {
    return (
      <Button variant="default" disabled>
        Current plan
      </Button>
    );
  }
  const rank = planRank(plan.id) - planRank(current);
  const verb = rank > 0 ? 'Upgrade to' : rank < 0 ? 'Change to' : 'Pay';
  const label = rank === 0 ? `${verb} ${cycle}` : `${verb} ${plan.name}`;
  return (
    <Button
      variant={isNext ? 'filled' : 'default'}
      onClick={() => onChoose({ plan: plan.id, billingCycle: cycle })}
    >
      {label}
    </Button>
  );
}
