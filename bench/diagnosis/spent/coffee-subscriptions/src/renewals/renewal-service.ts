import type { SubscriptionRepository } from '../customers/subscription-repository.ts';
import { addMonths } from './calendar.ts';
import { coffeeCents, toEuros } from './prices.ts';
import type { ShippingRates } from './shipping-rates.ts';

export class RenewalService {
  readonly #subscriptions: SubscriptionRepository;
  readonly #shipping: ShippingRates;

  constructor(subscriptions: SubscriptionRepository, shipping: ShippingRates) {
    this.#subscriptions = subscriptions;
    this.#shipping = shipping;
  }

  async renew(id: string, months: number) {
    const subscription = await this.#subscriptions.get(id);
    const coffee = coffeeCents(subscription.plan, subscription.bagsPerMonth) * months;
    const rate = await this.#shipping.rateFor(subscription);
    const shipping = (rate.parcel + rate.perBag * subscription.bagsPerMonth) * months;
    const paidUntil = addMonths(subscription.paidUntil, months);
    await this.#subscriptions.extend(id, paidUntil);
    return {
      id,
      paidUntil,
      coffee: toEuros(coffee),
      shipping: toEuros(shipping),
      total: toEuros(coffee + shipping),
    };
  }
}
