import { Stack, Text } from '@mantine/core';
import type { Subscription } from '@throughline/contract';
import { useState } from 'react';
import { useOpened } from '../../shell/frame/use-opened.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import classes from './billing.module.css';
import { BillingSkeleton } from './billing-skeleton.tsx';
import { CancelDialog } from './dialogs/cancel-dialog.tsx';
import { UpgradeDialog } from './dialogs/upgrade-dialog.tsx';
import { buildFallbackSubscription } from './fallback.ts';
import { InvoiceList } from './invoices.tsx';
import { ComparePlans } from './plan/compare-plans.tsx';
import { CurrentPlan, PlanHeading } from './plan/current-plan.tsx';
import { PlanCards } from './plan/plan-cards.tsx';
import { type Choice, useMayBill, usePlanKind, useSubscription } from './queries.ts';
import { TestClock } from './test-clock.tsx';
import { MonthsEnd, UsageBars } from './usage-bars.tsx';

const TITLE = 'Billing & Subscription';

/** The current plan, its usage and the other plans, for organization owners and solo users. */
export function BillingPage() {
  const mayBill = useMayBill();
  return (
    <Stack>
      <PageHeader title={TITLE} />
      {mayBill ? (
        <Billing />
      ) : (
        <EmptyState
          title="This page is for the owners of organizations"
          action={
            <ButtonLink to="/dashboard" variant="default">
              Back to the dashboard
            </ButtonLink>
          }
        >
          The owner of your organization chooses and pays for its plan.
        </EmptyState>
      )}
    </Stack>
  );
}

function Billing() {
  const kind = usePlanKind();
  const query = useSubscription();
  if (query.isPending) return <BillingSkeleton kind={kind} />;
  if (query.data !== undefined) return <Loaded subscription={query.data} />;
  const notice = (
    <ErrorNotice
      what="Failed to load billing information"
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
  if (kind === 'organization') return notice;
  const fallback = buildFallbackSubscription(new Date());
  return (
    <Stack>
      {notice}
      <div className={classes.top}>
        <section className={classes.card} aria-label="Current plan">
          <PlanHeading subscription={fallback} />
          <Text size="sm" c="dimmed">
            Your subscription could not be loaded. The free trial is shown instead.
          </Text>
        </section>
        <UsageBars usage={fallback.usage} kind={kind} />
      </div>
    </Stack>
  );
}

function Loaded({ subscription }: { readonly subscription: Subscription }) {
  const kind = usePlanKind();
  const [choice, setChoice] = useState<Choice>();
  const cancelling = useOpened();
  return (
    <Stack gap="lg">
      <div className={classes.top}>
        <CurrentPlan subscription={subscription} />
        <UsageBars usage={subscription.usage} kind={kind}>
          <MonthsEnd subscription={subscription} />
        </UsageBars>
      </div>
      <PlanCards
        // A new key resets the selected billing cycle to the subscription's cycle.
        key={`${subscription.plan} ${subscription.billingCycle}`}
        subscription={subscription}
        kind={kind}
        onChoose={setChoice}
        onCancel={cancelling.open}
      />
      <ComparePlans
        current={subscription.plan}
        kind={kind}
        withPrices={subscription.payment.chosenBy === 'account'}
      />
      {subscription.payment.testClock && <TestClock subscription={subscription} />}
      {subscription.payment.provider !== 'operator' && <InvoiceList />}
      <UpgradeDialog subscription={subscription} choice={choice} onClose={() => setChoice(undefined)} />
      {cancelling.wasOpened && (
        <CancelDialog subscription={subscription} opened={cancelling.isOpen} onClose={cancelling.close} />
      )}
    </Stack>
  );
}
