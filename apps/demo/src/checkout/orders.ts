import type { Customer } from '../accounts/customer.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import type { Discount } from './discounts.ts';
import type { Payment } from './payment.ts';
import type { OrderLine } from './prices.ts';
import type { Tax } from './tax.ts';

/** The totals of a checkout, in cents. */
export interface Totals {
  readonly netCents: number;
  readonly discount: Discount;
  readonly tax: Tax;
  readonly totalCents: number;
}

export interface Order {
  readonly id: number;
  readonly country: string;
  readonly netCents: number;
  readonly discountCents: number;
  readonly taxCents: number;
  readonly totalCents: number;
  readonly paymentReference: string;
}

const ORDER_COLUMNS = `id, country, net_cents AS "netCents", discount_cents AS "discountCents", tax_cents AS "taxCents",
  total_cents AS "totalCents", payment_reference AS "paymentReference"`;

export async function saveOrder(
  database: Database,
  customer: Customer,
  lines: readonly OrderLine[],
  totals: Totals,
  payment: Payment,
): Promise<Order> {
  return await database.transaction(async function saveWhole(inside) {
    const [order] = await inside.query<Order>(
      `INSERT INTO orders (user_id, country, net_cents, discount_cents, tax_cents, total_cents, payment_reference)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${ORDER_COLUMNS}`,
      ...[customer.id, customer.country, totals.netCents, totals.discount.cents],
      ...[totals.tax.cents, totals.totalCents, payment.reference],
    );
    if (order === undefined) throw new Error('the order was not stored');
    for (const line of lines) {
      await inside.query(
        'INSERT INTO order_lines (order_id, product_id, quantity, price_cents) VALUES ($1, $2, $3, $4)',
        ...[order.id, line.productId, line.quantity, line.priceCents],
      );
    }
    return order;
  });
}

const LATEST = 10;

export interface OrderHistory {
  /** The latest orders, newest first. */
  readonly orders: readonly Order[];
  /** `placed`: number of all orders. `spentCents`: sum of their totals. */
  readonly placed: number;
  readonly spentCents: number;
}

/** Reads the customer's latest orders, and the totals of all orders. */
export async function readOrderHistory(database: Database, customerId: number): Promise<OrderHistory> {
  const [orders, [sums]] = await Promise.all([
    database.query<Order>(
      `SELECT ${ORDER_COLUMNS} FROM orders WHERE user_id = $1 ORDER BY placed_at DESC, id DESC LIMIT ${LATEST}`,
      customerId,
    ),
    database.query<{ placed: number; spentCents: number }>(
      `SELECT count(*)::int AS placed, coalesce(sum(total_cents), 0)::int AS "spentCents" FROM orders WHERE user_id = $1`,
      customerId,
    ),
  ]);
  return { orders, placed: sums?.placed ?? 0, spentCents: sums?.spentCents ?? 0 };
}

/** Finds one of the customer's own orders. Other customers' orders are reported as not found (404). */
export async function findOrder(database: Database, customerId: number, orderId: number): Promise<Order> {
  const [order] = await database.query<Order>(
    `SELECT ${ORDER_COLUMNS} FROM orders WHERE id = $1 AND user_id = $2`,
    ...[orderId, customerId],
  );
  if (order === undefined) throw new Refusal(404, `There is no order ${orderId}`);
  return order;
}
