import { type Subscription, UNLIMITED } from '@throughline/contract';
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

/** A text in pieces, each second of which is a day: lines do not break within it. */
export function splitAtDays(text: string): string[] {
  return text.split(/(\d{4}-\d{2}-\d{2})/);
}

/** How full a limit is, percent; nothing fills what has no limit. */
export function computePercent({ used, limit }: { readonly used: number; readonly limit: number }): number {
  if (limit === UNLIMITED) return 0;
  return limit === 0 ? 100 : (used / limit) * 100;
}

/** The colour of a bar by its fill. */
export function fillTone(percent: number): 'green' | 'amber' | 'red' {
  if (percent >= 100) return 'red';
  return percent >= 80 ? 'amber' : 'green';
}

/** A notice about the subscription beside its badge; undefined if it simply continues. */
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
