import { type AuditAction, formatDay, PLANS, type PlanId } from '@throughline/contract';
import type { Mail } from '../../platform/mail/index.ts';
import {
  computeAccessEnd,
  computeGraceEnd,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription.ts';

export function buildAuditEntry(
  event: SubscriptionEvent,
  before: SubscriptionState,
  after: SubscriptionState,
): { readonly action: AuditAction; readonly target: string } {
  const [old, now] = [getPlanName(before), getPlanName(after)];
  switch (event.name) {
    case 'subscribe':
    case 'change_plan':
      return { action: 'subscription.plan_changed', target: `${old} to ${now}` };
    case 'renew':
      return getPlan(before) === getPlan(after)
        ? { action: 'subscription.renewed', target: now }
        : { action: 'subscription.plan_changed', target: `${old} to ${now}` };
    case 'schedule_change':
      return {
        action: 'subscription.change_scheduled',
        target: `${PLANS[event.terms.plan].name} (${event.terms.cycle})`,
      };
    case 'cancel':
      return { action: 'subscription.cancelled', target: old };
    case 'reactivate':
      return { action: 'subscription.reactivated', target: old };
    case 'payment_fails':
      return { action: 'subscription.payment_failed', target: old };
    case 'payment_recovers':
      return { action: 'subscription.payment_recovered', target: now };
    default:
      return { action: 'subscription.ended', target: old };
  }
}

/** Builds the owner's mail about an event; undefined for the owner's own actions and for events that need no action. */
export function buildMail(
  event: SubscriptionEvent,
  before: SubscriptionState,
  given: { readonly to: string; readonly publicUrl: string; readonly isByOperator: boolean },
): Mail | undefined {
  const { to, publicUrl } = given;
  const next = given.isByOperator ? 'the operator of the server gives you a plan' : 'you choose a plan';
  const plan = getPlanName(before);
  const action = { label: 'See your plan', url: `${publicUrl}/billing` };
  const stays = given.isByOperator
    ? 'Stored traces are not deleted yet: ask the operator for a plan within one day to keep them.'
    : 'Stored traces are not deleted yet: choose a plan within one day to keep them.';
  switch (event.name) {
    case 'payment_fails':
      return {
        to,
        subject: `The payment for ${plan} failed`,
        paragraphs: [
          `The payment for ${plan} failed. Your plan does not change until ${formatDay(computeGraceEnd(event.since))}.`,
          'Pay or change the card before that day.',
        ],
        action,
      };
    case 'trial_ends':
      return {
        to,
        subject: 'Your free trial has ended',
        paragraphs: [`New traces are not accepted until ${next}; existing traces stay readable.`, stays],
        action,
      };
    case 'grace_ends':
    case 'renewal_missing':
    case 'period_ends':
    case 'provider_ends':
      return {
        to,
        subject: `Your ${plan} plan has ended`,
        paragraphs: [
          `Your subscription to ${plan} ended on ${formatDay(computeAccessEnd(before))}. New traces are not accepted until ${next}; existing traces stay readable.`,
          stays,
        ],
        action,
      };
    default:
      return undefined;
  }
}

function getPlan(state: SubscriptionState): PlanId {
  return state.status === 'active' || state.status === 'past_due' ? state.terms.plan : 'free_trial';
}

function getPlanName(state: SubscriptionState): string {
  return PLANS[getPlan(state)].name;
}
