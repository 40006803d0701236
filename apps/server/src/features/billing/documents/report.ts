import {
  applyEvent,
  computeGraceEnd,
  type Next,
  type Period,
  type SubscriptionEvent,
  type SubscriptionState,
  type Terms,
} from '../subscription.ts';

/** A payment provider's report on a subscription: its current state, not the events since the last report. */
export type Report =
  | {
      readonly status: 'paid';
      readonly terms: Terms;
      readonly period: Period;
      readonly next: Next;
    }
  | { readonly status: 'unpaid'; readonly since: Date }
  /** The provider has no paid subscription of this account and never had one. */
  | { readonly status: 'none' }
  /** `isRequested` is true if the account requested the end. */
  | { readonly status: 'ended'; readonly isRequested: boolean };

/** Infers the events that lead to the reported state, in order. Returns none if the state is already known. */
export function inferEvents(state: SubscriptionState, report: Report, now: Date): SubscriptionEvent[] {
  switch (report.status) {
    case 'none':
      return [];
    case 'ended':
      return findEndings(state, report.isRequested, now);
    case 'unpaid':
      return state.status === 'active' ? [{ name: 'payment_fails', since: report.since }] : [];
    case 'paid': {
      const isEnding = report.next.kind === 'end' && report.period.end <= now;
      if (isEnding) return findEndings(state, false, now);
      // The subscription has ended on this server, but the provider still reports its last period as paid. This report must not begin the
      // subscription again.
      if (hasEnded(state) && computeGraceEnd(report.period.end) <= now) return [];
      const paid = findPayment(state, report);
      const after = paid === undefined ? state : (applyEvent(state, paid, now) ?? state);
      const next = after.status === 'active' ? findRenewalChange(after.next, report.next) : undefined;
      return [paid, next].filter((event) => event !== undefined);
    }
  }
}

function hasEnded({ status }: SubscriptionState): boolean {
  return status === 'cancelled' || status === 'expired';
}

function findEndings(state: SubscriptionState, isRequested: boolean, now: Date): SubscriptionEvent[] {
  if (state.status === 'past_due') return [{ name: isRequested ? 'cancel' : 'provider_ends' }];
  if (state.status !== 'active') return [];
  const asPlanned = state.next.kind === 'end' && state.period.end <= now;
  return [{ name: asPlanned ? 'period_ends' : 'provider_ends' }];
}

function findPayment(
  state: SubscriptionState,
  { terms, period }: Extract<Report, { status: 'paid' }>,
): SubscriptionEvent | undefined {
  if (state.status === 'past_due') return { name: 'payment_recovers', terms, period };
  if (state.status !== 'active') return { name: 'subscribe', terms, period };
  if (period.start >= state.period.end) return { name: 'renew', terms, period };
  const same = haveSameTerms(terms, state.terms) && areSamePeriod(period, state.period);
  return same ? undefined : { name: 'change_plan', terms, period };
}

function findRenewalChange(now: Next, then: Next): SubscriptionEvent | undefined {
  if (then.kind === 'change') {
    const known = now.kind === 'change' && haveSameTerms(now.terms, then.terms);
    return known ? undefined : { name: 'schedule_change', terms: then.terms };
  }
  if (then.kind === now.kind) return undefined;
  return { name: then.kind === 'end' ? 'cancel' : 'reactivate' };
}

function haveSameTerms(a: Terms, b: Terms): boolean {
  return a.plan === b.plan && a.cycle === b.cycle;
}

function areSamePeriod(a: Period, b: Period): boolean {
  return a.start.getTime() === b.start.getTime() && a.end.getTime() === b.end.getTime();
}
