import type { z } from 'zod';
import type { ProviderSubscription, Reported } from '../provider.ts';
import type { Terms } from '../subscription.ts';
import { MissingAtStripe, type StripeClient } from './client.ts';
import type { StripePrices } from './prices.ts';
import { buildReport } from './report.ts';
import { CheckoutSession, Schedule, StripeSubscription, SubscriptionList, toSeconds } from './shapes.ts';

interface Deps {
  readonly client: StripeClient;
  readonly prices: StripePrices;
}

/** Reads and changes subscriptions at Stripe. */
export interface StripeSubscriptions {
  /** Undefined if Stripe does not know the subscription. */
  find(ref: string): Promise<StripeSubscription | undefined>;
  /** Returns up to 100 subscriptions of a customer that have not ended. */
  ofCustomer(customer: string): Promise<readonly StripeSubscription[]>;
  report(found: StripeSubscription): Promise<Reported | undefined>;
  /** Changes the plan immediately and cancels a scheduled change or end. Stripe computes the price from the instant `at`. */
  changeNow(found: StripeSubscription, terms: Terms, key: string, at: Date): Promise<void>;
  changeLater(found: StripeSubscription, terms: Terms, key: string): Promise<void>;
  /**
   * If `ending` is true, makes the subscription end with its period, otherwise cancels such an end. In both cases, cancels a change that is
   * scheduled for the next period.
   */
  setEnding(found: StripeSubscription, ending: boolean): Promise<void>;
  endNow(ref: string, how: 'as-is' | 'credit-what-was-paid'): Promise<void>;
  session(ref: string): Promise<z.output<typeof CheckoutSession> | undefined>;
  expireSession(ref: string): Promise<void>;
}

export function createStripeSubscriptions(deps: Deps): StripeSubscriptions {
  const { client, prices } = deps;
  const orMissing = async <T>(asking: Promise<T>): Promise<T | undefined> =>
    asking.catch((error: unknown) => {
      if (error instanceof MissingAtStripe) return undefined;
      throw error;
    });
  const update = (id: string, fields: Parameters<StripeClient['call']>[0]['fields'], key?: string) =>
    client.call({
      method: 'POST',
      path: `subscriptions/${id}`,
      ...(fields === undefined ? {} : { fields }),
      answer: StripeSubscription,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
  /** Cancels a plan that is scheduled for the next period: Stripe refuses all other changes while a plan is scheduled. */
  const release = async ({ schedule }: StripeSubscription) => {
    if (schedule === null) return;
    await client.call({
      method: 'POST',
      path: `subscription_schedules/${schedule}/release`,
      answer: Schedule,
    });
  };
  const getItem = ({ id, items }: StripeSubscription) => {
    const [item] = items.data;
    if (item === undefined) throw new Error(`subscription ${id} has no item`);
    return item;
  };

  return {
    find: (ref) =>
      orMissing(client.call({ method: 'GET', path: `subscriptions/${ref}`, answer: StripeSubscription })),
    async ofCustomer(customer) {
      const fields = { customer, limit: 100 };
      const asking = client.call({ method: 'GET', path: 'subscriptions', fields, answer: SubscriptionList });
      return (await orMissing(asking))?.data ?? [];
    },
    async report(found) {
      const report = await buildReport(found, deps);
      if (report === undefined) return undefined;
      return {
        kind: 'report',
        report,
        providerData: { customerRef: found.customer, subscriptionRef: found.id },
      };
    },
    async changeNow(found, terms, key, at) {
      await release(found);
      const items = [{ id: getItem(found).id, price: await prices.idOf(terms) }];
      await update(
        found.id,
        {
          items,
          proration_behavior: 'always_invoice',
          proration_date: toSeconds(at),
          // With this value, Stripe changes nothing if the card is refused.
          payment_behavior: 'error_if_incomplete',
          cancel_at_period_end: false,
        },
        key,
      );
    },
    async changeLater(found, terms, key) {
      await release(found);
      if (found.cancel_at_period_end) await update(found.id, { cancel_at_period_end: false });
      const made = await client.call({
        method: 'POST',
        path: 'subscription_schedules',
        fields: { from_subscription: found.id },
        idempotencyKey: `${key}:schedule`,
        answer: Schedule,
      });
      const item = getItem(found);
      await client.call({
        method: 'POST',
        path: `subscription_schedules/${made.id}`,
        fields: {
          end_behavior: 'release',
          proration_behavior: 'none',
          phases: [
            {
              items: [{ price: item.price.id, quantity: 1 }],
              start_date: toSeconds(item.current_period_start),
              end_date: toSeconds(item.current_period_end),
            },
            {
              items: [{ price: await prices.idOf(terms), quantity: 1 }],
              duration: { interval: terms.cycle === 'yearly' ? 'year' : 'month', interval_count: 1 },
            },
          ],
        },
        answer: Schedule,
      });
    },
    async setEnding(found, ending) {
      await release(found);
      await update(found.id, { cancel_at_period_end: ending });
    },
    async endNow(ref, how) {
      await orMissing(
        client.call({
          method: 'DELETE',
          path: `subscriptions/${ref}`,
          ...(how === 'as-is' ? {} : { fields: { invoice_now: true, prorate: true } }),
          answer: StripeSubscription,
        }),
      );
    },
    session: (ref) =>
      orMissing(client.call({ method: 'GET', path: `checkout/sessions/${ref}`, answer: CheckoutSession })),
    async expireSession(ref) {
      await client.call({ method: 'POST', path: `checkout/sessions/${ref}/expire`, answer: CheckoutSession });
    },
  };
}

/** True if Stripe charges for the subscription, or can charge again. */
export function isLive({ status }: StripeSubscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due' || status === 'unpaid';
}

/**
 * Builds a key under which Stripe executes a request once, however often the request is sent. Under the same key Stripe would also repeat
 * an earlier refusal, so each ticket gives another key.
 */
export function changeKey({ id, ticket }: ProviderSubscription): string {
  return `change:${id}:${ticket}`;
}
