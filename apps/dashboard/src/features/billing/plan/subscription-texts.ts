import type { Subscription } from '@throughline/contract';
import { formatDate } from '../../../ui/time/relative-time.ts';

export function formatDollars(amount: number): string {
  const cents = Number.isInteger(amount) ? 0 : 2;
  const text = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: cents,
    maximumFractionDigits: cents,
  });
  return `${amount < 0 ? '−' : ''}$${text}`;
}

export function formatDay(instant: string): string {
  return formatDate(Date.parse(instant));
}

/** Splits a string around dates: every second element of the result is a date, within which lines must not break. */
export function splitAtDays(text: string): string[] {
  return text.split(/(\d{4}-\d{2}-\d{2})/);
}

/** Returns the notice to show next to the subscription's badge, or undefined if the subscription simply continues. */
export function describeStanding(subscription: Subscription): string | undefined {
  const { status, currentPeriodEnd, graceEndsAt, nextPlan, payment } = subscription;
  const isByOperator = payment.chosenBy === 'operator';
  const end = formatDay(currentPeriodEnd);
  if (graceEndsAt !== null)
    return `The last payment failed. The plan ends on ${formatDay(graceEndsAt)} unless it is paid.`;
  if (subscription.cancelAtPeriodEnd) return `Cancelled: the plan stays active until ${end}.`;
  if (nextPlan !== null) return `The plan changes on ${end}.`;
  if (status === 'trialing')
    return isByOperator
      ? `The trial ends on ${end}. After that, new traces are not accepted without a plan.`
      : `The trial ends on ${end}. Choose a plan before then to keep sending traces.`;
  if (status !== 'cancelled' && status !== 'expired') return undefined;
  return `Ended on ${end}. New traces are not accepted until you ${isByOperator ? 'have' : 'choose'} a plan; existing traces stay readable.`;
}
