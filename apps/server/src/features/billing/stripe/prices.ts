import { BILLING_CYCLES, computePrice, PLAN_IDS, PLANS } from '@throughline/contract';
import type { Terms } from '../subscription.ts';
import type { StripeClient } from './client.ts';
import { Price, Prices } from './shapes.ts';

/** The prices at Stripe. Each is found by its lookup key, and created if it is missing. */
export interface StripePrices {
  idOf(terms: Terms): Promise<string>;
  termsOf(price: { readonly id: string; readonly lookup_key?: string | null }): Promise<Terms | undefined>;
}

const paidPlans = PLAN_IDS.filter((plan) => PLANS[plan].price > 0);
/**
 * Builds the key by which a price is found at Stripe. The key contains the amount: if a plan's price changes, a new price is created at
 * Stripe, and existing subscriptions continue at the old price.
 */
const buildLookupKey = ({ plan, cycle }: Terms) =>
  `throughline_${plan}_${cycle}_${computePrice(plan, cycle)}`;
const all: readonly Terms[] = paidPlans.flatMap((plan) => BILLING_CYCLES.map((cycle) => ({ plan, cycle })));

export function createStripePrices(client: StripeClient): StripePrices {
  let known: Promise<ReadonlyMap<string, string>> | undefined;

  const load = async () => {
    const ids = new Map<string, string>();
    // Stripe accepts ten lookup keys per request.
    for (let from = 0; from < all.length; from += 10) {
      const lookup_keys = all.slice(from, from + 10).map(buildLookupKey);
      const { data } = await client.call({
        method: 'GET',
        path: 'prices',
        fields: { lookup_keys, limit: 100 },
        answer: Prices,
      });
      for (const { id, lookup_key } of data) if (lookup_key !== null) ids.set(lookup_key, id);
    }
    for (const terms of all) {
      if (!ids.has(buildLookupKey(terms))) ids.set(buildLookupKey(terms), (await make(terms)).id);
    }
    return ids;
  };
  const make = (terms: Terms) =>
    client.call({
      method: 'POST',
      path: 'prices',
      idempotencyKey: `price:${buildLookupKey(terms)}`,
      fields: {
        currency: 'usd',
        unit_amount: computePrice(terms.plan, terms.cycle) * 100,
        lookup_key: buildLookupKey(terms),
        recurring: { interval: terms.cycle === 'yearly' ? 'year' : 'month' },
        product_data: { name: `Throughline ${PLANS[terms.plan].name}` },
      },
      answer: Price,
    });
  const ids = () => {
    known ??= load();
    known.catch(() => {
      known = undefined;
    });
    return known;
  };

  return {
    async idOf(terms) {
      const id = (await ids()).get(buildLookupKey(terms));
      if (id === undefined) throw new Error(`there is no price for ${buildLookupKey(terms)}`);
      return id;
    },
    async termsOf({ id, lookup_key }) {
      const byName = /^throughline_(\w+)_(monthly|yearly)_\d+$/.exec(lookup_key ?? '');
      const named = all.find(({ plan, cycle }) => plan === byName?.[1] && cycle === byName[2]);
      if (named !== undefined) return named;
      const known = await ids();
      return all.find((terms) => known.get(buildLookupKey(terms)) === id);
    },
  };
}
