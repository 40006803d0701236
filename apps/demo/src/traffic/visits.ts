import { SEED_CUSTOMERS, SEED_PASSWORD, type SeedCustomer } from '../database/customers.ts';
import { COUPONS, POST_TITLES, PRODUCTS } from '../database/stock-list.ts';
import { createRandom, pick, pickBetween, type Random, shuffle } from '../random.ts';
import type { ShopClient } from './shop-client.ts';

/** The requests of one visitor, in order. */
export interface Visit {
  readonly kind: 'buy' | 'browse' | 'read' | 'look-around' | 'register' | 'report';
  /** The customer; undefined for a visitor without an account. */
  readonly customer?: SeedCustomer;
  readonly run: (shop: ShopClient) => Promise<void>;
}

/** Test card numbers published by payment providers; they belong to no account. */
const CARD_NUMBERS = ['4242 4242 4242 4242', '5555 5555 5555 4444', '3782 822463 10005'];

/** Yields visits endlessly. In half of the visits, the visitor buys. The same numbers from `random` give the same visits. */
export function* generateVisits(
  random: Random,
  customers: readonly SeedCustomer[] = SEED_CUSTOMERS,
): Generator<Visit, never> {
  // Chooses customers from a separate random sequence, so that another list of customers does not change any other choice.
  const buyers = repeatCustomers(createRandom(pickBetween(random, 1, 2 ** 31)), customers);
  for (;;) {
    const round: (() => Visit)[] = [
      ...Array.from({ length: 6 }, () => () => buildPurchase(random, buyers.next().value)),
      () => buildBrowsing(random),
      () => buildBrowsing(random),
      () => buildReading(random),
      () => buildLookAround(random),
      () => buildRegistration(random),
      () => buildReport(pickBetween(random, 1, 3) === 1 ? 120 : 7),
    ];
    for (const visit of shuffle(random, round)) yield visit();
  }
}

/** Yields all customers equally often. Shuffles them only within groups of eight, so that no kind of customer is absent for long. */
function* repeatCustomers(
  random: Random,
  customers: readonly SeedCustomer[],
): Generator<SeedCustomer, never> {
  const eight = 8;
  for (;;) {
    for (let start = 0; start < customers.length; start += eight) {
      yield* shuffle(random, customers.slice(start, start + eight));
    }
  }
}

function buildPurchase(random: Random, customer: SeedCustomer): Visit {
  const goods = Array.from({ length: pickBetween(random, 1, 2) }, () => ({
    productId: pickBetween(random, 1, PRODUCTS.length),
    quantity: pick(random, [1, 1, 2, 3, 6]),
  }));
  const category = pick(random, PRODUCTS)[1];
  const card = { number: pick(random, CARD_NUMBERS), expiry: '11/29', cvc: '123' };
  const coupon = random() < 0.25 ? { coupon: pick(random, COUPONS)[0] } : {};
  return {
    kind: 'buy',
    customer,
    run: async (shop) => {
      await shop.get(`/products?category=${category}`);
      if (!(await shop.signIn(customer.email, SEED_PASSWORD))) return;
      for (const item of goods) await shop.post('/cart/items', item);
      await shop.post('/checkout', { card, ...coupon });
      await shop.get('/orders');
    },
  };
}

function buildBrowsing(random: Random): Visit {
  const category = pick(random, PRODUCTS)[1];
  // One visitor in six follows a link to a product that is no longer sold.
  const productId =
    random() < 1 / 6 ? 9000 + pickBetween(random, 1, 99) : pickBetween(random, 1, PRODUCTS.length);
  return {
    kind: 'browse',
    run: async (shop) => {
      await shop.get(`/products?category=${category}`);
      await shop.get(`/products/${productId}`);
    },
  };
}

function buildReading(random: Random): Visit {
  const postId = pickBetween(random, 1, POST_TITLES.length);
  return {
    kind: 'read',
    run: async (shop) => {
      await shop.get('/posts');
      await shop.get(`/posts/${postId}`);
    },
  };
}

function buildLookAround(random: Random): Visit {
  const userId = pickBetween(random, 1, SEED_CUSTOMERS.length);
  return {
    kind: 'look-around',
    run: async (shop) => {
      await shop.get('/health');
      await shop.get(`/users/${userId}`);
    },
  };
}

/** Builds a visit with a registration. One in three has an invalid field and gets a 400. */
function buildRegistration(random: Random): Visit {
  const nick = Math.floor(random() * 2 ** 32).toString(36);
  const password = random() < 1 / 3 ? 'short' : `${nick} and a long one`;
  let guests = 0;
  return {
    kind: 'register',
    run: async (shop) => {
      guests += 1;
      await shop.post('/users', {
        name: `Guest ${nick}`,
        // A different address for each guest, because an address can be registered only once.
        email: `${nick}${guests === 1 ? '' : guests}@example.org`,
        password,
        country: 'DE',
      });
    },
  };
}

function buildReport(days: number): Visit {
  return {
    kind: 'report',
    run: async (shop) => {
      await shop.get(`/reports/sales?days=${days}`);
    },
  };
}
