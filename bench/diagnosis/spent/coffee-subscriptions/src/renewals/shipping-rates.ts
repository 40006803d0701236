import type { AddressBook } from '../customers/address-book.ts';
import type { Subscription } from '../customers/subscription-repository.ts';

export interface Rate {
  parcel: number;
  perBag: number;
}

const rates = new Map<string, Rate>([
  ['letter/DE', { parcel: 190, perBag: 0 }],
  ['letter/NL', { parcel: 320, perBag: 0 }],
  ['letter/IT', { parcel: 370, perBag: 0 }],
  ['parcel/DE', { parcel: 380, perBag: 20 }],
  ['parcel/NL', { parcel: 590, perBag: 30 }],
  ['parcel/IT', { parcel: 740, perBag: 45 }],
]);

export class ShippingRates {
  readonly #addresses: AddressBook;

  constructor(addresses: AddressBook) {
    this.#addresses = addresses;
  }

  async rateFor(subscription: Subscription): Promise<Rate> {
    return rates.get(await this.rateKey(subscription)) as Rate;
  }

  async rateKey({ bagsPerMonth, country, giftFor }: Subscription): Promise<string> {
    const service = bagsPerMonth > 1 ? 'parcel' : 'letter';
    return `${service}/${giftFor === null ? country : this.#addresses.countryOf(giftFor)}`;
  }
}
