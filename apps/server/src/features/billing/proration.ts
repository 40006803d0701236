import { type BillingCycle, computePrice, planRank } from '@throughline/contract';
import { addMonths } from '../../platform/months.ts';
import type { Period, SubscriptionState, Terms } from './subscription.ts';

function countMonths(cycle: BillingCycle): number {
  return cycle === 'yearly' ? 12 : 1;
}

export function computeFirstPeriod(start: Date, cycle: BillingCycle): Period {
  return { start, end: addMonths(start, countMonths(cycle)), anchor: start };
}

/** Returns the next period. The next period ends on the anchor's day if the month has that day. */
export function computeNextPeriod({ end, anchor }: Period, cycle: BillingCycle): Period {
  const months =
    (end.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + end.getUTCMonth() - anchor.getUTCMonth();
  return { start: end, end: addMonths(anchor, months + countMonths(cycle)), anchor };
}

/**
 * When a choice of plan takes effect: an upgrade immediately (`now`), a downgrade at the end of the paid period (`at_period_end`). `none`:
 * plan and billing cycle stay the same. `unclear`: a larger plan with a shorter billing cycle.
 */
export type Effect = 'now' | 'at_period_end' | 'none' | 'unclear';

export function decideEffect(state: SubscriptionState, chosen: Terms): Effect {
  if (state.status !== 'active') return 'now';
  const { terms } = state;
  const rank = planRank(chosen.plan) - planRank(terms.plan);
  const months = countMonths(chosen.cycle) - countMonths(terms.cycle);
  if (rank === 0 && months === 0) return 'none';
  if (rank >= 0 && months >= 0) return 'now';
  if (rank > 0) return 'unclear';
  return 'at_period_end';
}

/**
 * Computes the price of an immediate change in the sandbox, in US cents. `credit` is the unused rest of the old terms. `charge` is the
 * price of the new terms for the rest of the period, or for a whole new period if the billing cycle changes.
 */
export function prorate(
  state: Extract<SubscriptionState, { status: 'active' }>,
  chosen: Terms,
  now: Date,
): { readonly credit: number; readonly charge: number; readonly period: Period } {
  const { terms, period } = state;
  const [start, end] = [period.start.getTime(), period.end.getTime()];
  const left = Math.min(1, Math.max(0, (end - now.getTime()) / (end - start)));
  const cents = (of: Terms, share: number) => Math.round(computePrice(of.plan, of.cycle) * 100 * share);
  const credit = cents(terms, left);
  return chosen.cycle === terms.cycle
    ? { credit, charge: cents(chosen, left), period }
    : { credit, charge: cents(chosen, 1), period: computeFirstPeriod(now, chosen.cycle) };
}
