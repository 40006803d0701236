import { hashPassword } from '../accounts/passwords.ts';
import { SEED_CUSTOMERS, SEED_PASSWORD } from './customers.ts';
import type { Database } from './database.ts';
import { COUPONS, POST_TITLES, PRODUCTS, TAX_RATES } from './stock-list.ts';

/** Number of orders in the last half year, so that reports have much data to add up. */
const PAST_ORDERS = 40_000;

/** Fills the empty tables. */
export async function seed(database: Database): Promise<void> {
  const passwordHash = await hashPassword(SEED_PASSWORD);
  for (const { name, email, country, loyaltyTier, importedFrom } of SEED_CUSTOMERS) {
    await database.query(
      `INSERT INTO users (name, email, password_hash, country, loyalty_tier, imported_from)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      ...[name, email, passwordHash, country, loyaltyTier, importedFrom],
    );
  }
  for (const [name, category, priceCents] of PRODUCTS) {
    await database.query(
      'INSERT INTO products (name, category, price_cents, stock) VALUES ($1, $2, $3, 200)',
      ...[name, category, priceCents],
    );
  }
  for (const rate of TAX_RATES) {
    await database.query('INSERT INTO tax_rates (country, name, rate) VALUES ($1, $2, $3)', ...rate);
  }
  for (const coupon of COUPONS) {
    await database.query('INSERT INTO coupons (code, percent) VALUES ($1, $2)', ...coupon);
  }
  for (const [index, title] of POST_TITLES.entries()) {
    await database.query(
      `INSERT INTO posts (author_id, title, body, published_at)
       VALUES ($1, $2, $3, now() - $4 * interval '1 day')`,
      ...[index + 1, title, `${title}: what we learned this season, and what we do about it.`, index * 9],
    );
  }
  await seedPastOrders(database);
}

async function seedPastOrders(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO orders (user_id, placed_at, country, net_cents, discount_cents, tax_cents, total_cents, payment_reference)
     SELECT 1 + n % $2::int, now() - (n % 180) * interval '1 day', 'DE', net, 0, net / 5, net + net / 5, 'past-' || n
     FROM (SELECT n, 500 + (n * 7919) % 20000 AS net FROM generate_series(1, $1::int) AS n) AS past`,
    ...[PAST_ORDERS, SEED_CUSTOMERS.length],
  );
}
