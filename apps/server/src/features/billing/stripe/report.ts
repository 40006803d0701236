import type { Report } from '../documents/report.ts';
import type { Next, Terms } from '../subscription.ts';
import type { StripeClient } from './client.ts';
import type { StripePrices } from './prices.ts';
import { Schedule, type StripeSubscription } from './shapes.ts';

/** Converts a Stripe subscription to a report. Returns undefined until the first payment of the subscription. */
export async function buildReport(
  found: StripeSubscription,
  { client, prices }: { readonly client: StripeClient; readonly prices: StripePrices },
): Promise<Report | undefined> {
  const [item] = found.items.data;
  switch (found.status) {
    case 'incomplete':
      return undefined;
    case 'canceled':
    case 'incomplete_expired':
    case 'paused':
      return { status: 'ended', isRequested: false };
    case 'past_due':
    case 'unpaid':
      // The period began with the payment that failed, so the subscription has been unpaid since the start of the period.
      return item === undefined ? undefined : { status: 'unpaid', since: item.current_period_start };
    default: {
      const terms = item === undefined ? undefined : await prices.termsOf(item.price);
      if (item === undefined || terms === undefined)
        throw new Error(`subscription ${found.id} has a price at Stripe that is no plan's`);
      return {
        status: 'paid',
        terms,
        period: {
          start: item.current_period_start,
          end: item.current_period_end,
          anchor: found.billing_cycle_anchor,
        },
        next: await findNext(found, terms, { client, prices }),
      };
    }
  }
}

async function findNext(
  found: StripeSubscription,
  terms: Terms,
  { client, prices }: { readonly client: StripeClient; readonly prices: StripePrices },
): Promise<Next> {
  if (found.cancel_at_period_end || typeof found.cancel_at === 'number') return { kind: 'end' };
  if (found.schedule === null) return { kind: 'renewal' };
  const schedule = await client.call({
    method: 'GET',
    path: `subscription_schedules/${found.schedule}`,
    answer: Schedule,
  });
  const until = found.items.data[0]?.current_period_end.getTime() ?? 0;
  const price = schedule.phases.find(({ start_date }) => start_date.getTime() >= until)?.items[0]?.price;
  const then = price === undefined ? undefined : await prices.termsOf({ id: price });
  const same = then === undefined || (then.plan === terms.plan && then.cycle === terms.cycle);
  return same ? { kind: 'renewal' } : { kind: 'change', terms: then };
}
