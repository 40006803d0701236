import { type BillingCycle, GRACE_DAYS, type PlanId } from '@throughline/contract';

/** A paid plan and its billing cycle. */
export interface Terms {
  readonly plan: PlanId;
  readonly cycle: BillingCycle;
}

/** Periods are counted from `anchor`, so that periods from a 31st return to the 31st after a shorter month. */
export interface Period {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly anchor: Date;
}

/** How the subscription continues after the paid period. */
export type Next =
  | { readonly kind: 'renewal' }
  | { readonly kind: 'end' }
  | { readonly kind: 'change'; readonly terms: Terms };

interface Paid {
  readonly terms: Terms;
  readonly period: Period;
  readonly next: Next;
}

/** A subscription's state. Each account has one subscription. */
export type SubscriptionState =
  | { readonly status: 'trialing'; readonly period: Period }
  | ({ readonly status: 'active' } & Paid)
  | ({ readonly status: 'past_due'; readonly since: Date } & Paid)
  /** `ended` is the plan that was paid for; null after a trial. `period.end` is when access ended. */
  | { readonly status: 'cancelled' | 'expired'; readonly ended: PlanId | null; readonly period: Period };

/** All events of a subscription. */
export type SubscriptionEvent =
  | { readonly name: 'trial_ends' }
  | { readonly name: 'subscribe'; readonly terms: Terms; readonly period: Period }
  | { readonly name: 'change_plan'; readonly terms: Terms; readonly period: Period }
  | { readonly name: 'schedule_change'; readonly terms: Terms }
  | { readonly name: 'cancel' }
  | { readonly name: 'reactivate' }
  | { readonly name: 'renew'; readonly terms: Terms; readonly period: Period }
  | { readonly name: 'payment_fails'; readonly since: Date }
  | { readonly name: 'payment_recovers'; readonly terms: Terms; readonly period: Period }
  | { readonly name: 'period_ends' }
  | { readonly name: 'grace_ends' }
  /** A period has ended, and no renewal was reported within the grace period. */
  | { readonly name: 'renewal_missing' }
  /** The payment provider ended the subscription, for whatever reason. */
  | { readonly name: 'provider_ends' };
export type EventName = SubscriptionEvent['name'];

const GRACE_MS = GRACE_DAYS * 86_400_000;
const RENEWAL = { kind: 'renewal' } as const;

/** Returns the terms of the period after the current paid period: the terms of a scheduled change, otherwise the current terms. */
export function findTermsDue({ terms, next }: Paid): Terms {
  return next.kind === 'change' ? next.terms : terms;
}

export function computeGraceEnd(since: Date): Date {
  return new Date(since.getTime() + GRACE_MS);
}

/** Returns when the plan stops being in force if no further event occurs. */
export function computeAccessEnd(state: SubscriptionState): Date {
  if (state.status === 'past_due') return computeGraceEnd(state.since);
  if (state.status === 'active' && state.next.kind !== 'end') return computeGraceEnd(state.period.end);
  return state.period.end;
}

/** Returns the event that the passing of time has caused, such as the end of a trial; undefined if there is none. */
export function findDueEvent(state: SubscriptionState, now: Date): SubscriptionEvent | undefined {
  if (computeAccessEnd(state) > now) return undefined;
  switch (state.status) {
    case 'trialing':
      return { name: 'trial_ends' };
    case 'active':
      return { name: state.next.kind === 'end' ? 'period_ends' : 'renewal_missing' };
    case 'past_due':
      return { name: 'grace_ends' };
    default:
      return undefined;
  }
}

/** Returns the state after an event; undefined if the event is not possible. This function defines all transitions. */
export function applyEvent(
  state: SubscriptionState,
  event: SubscriptionEvent,
  now: Date,
): SubscriptionState | undefined {
  switch (state.status) {
    case 'trialing':
      if (event.name === 'trial_ends' && isOver(state, now)) return end(state, 'expired', state.period.end);
      return event.name === 'subscribe' ? buildSubscribed(event) : undefined;
    case 'cancelled':
    case 'expired':
      return event.name === 'subscribe' ? buildSubscribed(event) : undefined;
    case 'active':
      return applyToActive(state, event, now);
    case 'past_due':
      return applyToPastDue(state, event, now);
  }
}

function applyToActive(
  state: Extract<SubscriptionState, { status: 'active' }>,
  event: SubscriptionEvent,
  now: Date,
): SubscriptionState | undefined {
  switch (event.name) {
    case 'change_plan':
      return buildSubscribed(event);
    case 'schedule_change':
      return { ...state, next: { kind: 'change', terms: event.terms } };
    case 'cancel':
      return state.next.kind === 'end' ? undefined : { ...state, next: { kind: 'end' } };
    case 'reactivate':
      return state.next.kind === 'renewal' ? undefined : { ...state, next: RENEWAL };
    case 'renew':
      return event.period.end > state.period.end ? buildSubscribed(event) : undefined;
    case 'payment_fails':
      return { ...state, status: 'past_due', since: event.since };
    case 'period_ends':
      return state.next.kind === 'end' && isOver(state, now)
        ? end(state, 'cancelled', state.period.end)
        : undefined;
    case 'renewal_missing':
      return state.next.kind !== 'end' && isOver(state, now)
        ? end(state, 'expired', computeAccessEnd(state))
        : undefined;
    case 'provider_ends':
      return end(state, 'cancelled', findEarlier(now, computeAccessEnd(state)));
    default:
      return undefined;
  }
}

function applyToPastDue(
  state: Extract<SubscriptionState, { status: 'past_due' }>,
  event: SubscriptionEvent,
  now: Date,
): SubscriptionState | undefined {
  switch (event.name) {
    case 'payment_recovers':
      return { ...buildSubscribed(event), next: state.next.kind === 'end' ? state.next : RENEWAL };
    // The period has ended without a payment. A cancellation therefore ends access immediately instead of at the end of a paid period.
    case 'cancel':
      return end(state, 'cancelled', findEarlier(now, computeAccessEnd(state)));
    case 'grace_ends':
      return isOver(state, now) ? end(state, 'expired', computeAccessEnd(state)) : undefined;
    case 'provider_ends':
      return end(state, 'expired', findEarlier(now, computeAccessEnd(state)));
    default:
      return undefined;
  }
}

function isOver(state: SubscriptionState, now: Date): boolean {
  return computeAccessEnd(state) <= now;
}

function findEarlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function buildSubscribed({ terms, period }: { readonly terms: Terms; readonly period: Period }) {
  return { status: 'active', terms, period, next: RENEWAL } as const;
}

function end(
  state: Exclude<SubscriptionState, { status: 'cancelled' | 'expired' }>,
  status: 'cancelled' | 'expired',
  at: Date,
): SubscriptionState {
  const ended = state.status === 'trialing' ? null : state.terms.plan;
  const { start, anchor } = state.period;
  return { status, ended, period: { start: findEarlier(start, at), end: at, anchor } };
}
