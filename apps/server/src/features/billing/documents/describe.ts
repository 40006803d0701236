import {
  computePrice,
  getLimit,
  listFeatures,
  listPlansOfKind,
  PLANS,
  type PlanKind,
  type PlanOffer,
  type Subscription,
} from '@throughline/contract';
import { planInForce } from '../../../platform/control-store/index.ts';
import type { PaymentProvider } from '../provider.ts';
import { projectTraces } from '../sandbox/projected-traces.ts';
import type { SubscriptionRow } from '../store.ts';
import {
  applyEvent,
  computeGraceEnd,
  findDueEvent,
  findTermsDue,
  type SubscriptionState,
} from '../subscription.ts';
import { toState } from '../subscription-mapper.ts';
import type { Used } from './used.ts';

/** Describes a subscription for the screens as of now, including changes that are due but not stored yet. */
export function describeSubscription(
  row: SubscriptionRow,
  used: Used,
  given: {
    readonly now: Date;
    readonly provider: PaymentProvider;
    readonly chosenBy: Subscription['payment']['chosenBy'];
    readonly testClock: boolean;
  },
): Subscription {
  const { now, provider } = given;
  const state = stateNow(toState(row), now);
  const plan = planInForce(row, now);
  const paid = state.status === 'active' || state.status === 'past_due' ? state : undefined;
  const change = paid?.next.kind === 'change' ? paid.next.terms : undefined;
  const { month } = used;
  return {
    id: row.id,
    plan,
    status: state.status,
    billingCycle: paid?.terms.cycle ?? 'monthly',
    currentPeriodStart: state.period.start.toISOString(),
    currentPeriodEnd: state.period.end.toISOString(),
    cancelAtPeriodEnd: paid?.next.kind === 'end',
    nextPlan: change === undefined ? null : { plan: change.plan, billingCycle: change.cycle },
    endedPlan: state.status === 'cancelled' || state.status === 'expired' ? state.ended : null,
    graceEndsAt: state.status === 'past_due' ? computeGraceEnd(state.since).toISOString() : null,
    nextPayment: provider.kind === 'operator' ? null : computeNextPayment(state),
    price: { monthly: computePrice(plan, 'monthly'), yearly: computePrice(plan, 'yearly') },
    usage: {
      teamMembers: { used: used.members, limit: getLimit('members', plan) },
      projects: { used: used.projects, limit: getLimit('projects', plan) },
      traces: { used: used.traces, limit: getLimit('traces', plan) },
    },
    usagePeriodStart: month.start.toISOString(),
    usagePeriodEnd: month.end.toISOString(),
    projectedTraces: projectTraces(used, now),
    planDetails: { features: listFeatures(PLANS[plan]) },
    payment: {
      provider: provider.kind,
      chosenBy: given.chosenBy,
      label: provider.label,
      portal: provider.portal && row.customerRef !== null,
      testClock: given.testClock && (paid !== undefined || state.status === 'trialing'),
    },
  };
}

function stateNow(state: SubscriptionState, now: Date): SubscriptionState {
  const due = findDueEvent(state, now);
  return due === undefined ? state : (applyEvent(state, due, now) ?? state);
}

function computeNextPayment(state: SubscriptionState): Subscription['nextPayment'] {
  if (state.status !== 'active' && state.status !== 'past_due') return null;
  const { plan, cycle } = findTermsDue(state);
  const amount = computePrice(plan, cycle);
  if (state.status === 'past_due') return { at: state.since.toISOString(), amount };
  return state.next.kind === 'end' ? null : { at: state.period.end.toISOString(), amount };
}

export function listOffers(kind: PlanKind): PlanOffer[] {
  return listPlansOfKind(kind).map((plan) => ({
    id: plan.id,
    name: plan.name,
    price: { monthly: computePrice(plan.id, 'monthly'), yearly: computePrice(plan.id, 'yearly') },
    maxMembers: plan.maxMembers,
    maxProjects: plan.maxProjects,
    maxTracesPerMonth: plan.maxTracesPerMonth,
    retentionHours: plan.retentionHours,
    aiInsights: plan.aiInsights,
    popular: plan.popular,
    features: listFeatures(plan),
  }));
}
