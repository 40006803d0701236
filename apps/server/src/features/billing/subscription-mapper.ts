import type { SubscriptionChange, SubscriptionRow } from './store.ts';
import { computeAccessEnd, type Next, type SubscriptionState } from './subscription.ts';

export function toState(row: SubscriptionRow): SubscriptionState {
  const period = { start: row.currentPeriodStart, end: row.currentPeriodEnd, anchor: row.anchorAt };
  const terms = { plan: row.plan, cycle: row.billingCycle };
  const paid = { terms, period, next: toNext(row) };
  switch (row.status) {
    case 'trialing':
      return { status: 'trialing', period };
    case 'active':
      return { status: 'active', ...paid };
    case 'past_due':
      return { status: 'past_due', ...paid, since: row.pastDueSince ?? period.end };
    default:
      return { status: row.status, ended: row.endedPlan, period };
  }
}

function toNext({ cancelAtPeriodEnd, nextPlan, nextCycle }: SubscriptionRow): Next {
  if (cancelAtPeriodEnd) return { kind: 'end' };
  if (nextPlan === null || nextCycle === null) return { kind: 'renewal' };
  return { kind: 'change', terms: { plan: nextPlan, cycle: nextCycle } };
}

/** Converts a state to columns. A subscription that has ended is stored with the plan `free_trial`, because no paid plan is in force. */
export function toColumns(state: SubscriptionState): SubscriptionChange {
  const { start, end, anchor } = state.period;
  const isPaid = state.status === 'active' || state.status === 'past_due';
  const change = isPaid && state.next.kind === 'change' ? state.next.terms : undefined;
  return {
    status: state.status,
    plan: isPaid ? state.terms.plan : 'free_trial',
    billingCycle: isPaid ? state.terms.cycle : 'monthly',
    currentPeriodStart: start,
    currentPeriodEnd: end,
    anchorAt: anchor,
    accessEndsAt: computeAccessEnd(state),
    cancelAtPeriodEnd: isPaid && state.next.kind === 'end',
    nextPlan: change?.plan ?? null,
    nextCycle: change?.cycle ?? null,
    pastDueSince: state.status === 'past_due' ? state.since : null,
    endedPlan: state.status === 'cancelled' || state.status === 'expired' ? state.ended : null,
  };
}
