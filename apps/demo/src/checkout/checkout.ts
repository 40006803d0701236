import type { Customer } from '../accounts/customer.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import { emptyCart, loadCart } from './cart.ts';
import { applyDiscounts } from './discounts.ts';
import { type Order, saveOrder, type Totals } from './orders.ts';
import { type Card, chargeCard, type Payment } from './payment.ts';
import { type OrderLine, priceLines, sumLines } from './prices.ts';
import { sendReceipt } from './receipt.ts';
import { type Reservation, releaseStock, reserveStock } from './stock.ts';
import { loadTaxTable, taxFor } from './tax.ts';

/** Buys the products in the cart. Rejects an empty cart or an unknown coupon (400), a declined card (402) and a sold-out product (409). */
export async function checkout(
  database: Database,
  customer: Customer,
  payment: { readonly card: Card; readonly coupon: string | undefined },
): Promise<Order> {
  const items = await loadCart(database, customer.id);
  if (items.length === 0) throw new Refusal(400, 'Your cart is empty');
  const lines = priceLines(items);
  const totals = await addUp(database, customer, lines, payment.coupon);
  const reservations = await reserveStock(database, lines);
  const paid = await payOrRelease(database, payment.card, totals.totalCents, reservations);
  const order = await saveOrder(database, customer, lines, totals, paid);
  await emptyCart(database, customer.id);
  await sendReceipt(database, customer, order, lines);
  return order;
}

async function addUp(
  database: Database,
  customer: Customer,
  lines: readonly OrderLine[],
  coupon: string | undefined,
): Promise<Totals> {
  const sumCents = sumLines(lines);
  const [discount, taxTable] = await Promise.all([
    applyDiscounts(database, customer, sumCents, coupon),
    loadTaxTable(database),
  ]);
  const netCents = sumCents - discount.cents;
  const tax = taxFor(customer.country, netCents, taxTable);
  return { netCents, discount, tax, totalCents: netCents + tax.cents };
}

async function payOrRelease(
  database: Database,
  card: Card,
  amountCents: number,
  reservations: readonly Reservation[],
): Promise<Payment> {
  try {
    return await chargeCard(card, amountCents);
  } catch (refused) {
    await releaseStock(database, reservations);
    throw refused;
  }
}
