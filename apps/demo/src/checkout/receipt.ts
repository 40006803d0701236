import type { Customer } from '../accounts/customer.ts';
import type { Database } from '../database/database.ts';
import type { Order } from './orders.ts';
import type { OrderLine } from './prices.ts';

/** Stores the receipt in a table, from which a mailer would send it. */
export async function sendReceipt(
  database: Database,
  customer: Customer,
  order: Order,
  lines: readonly OrderLine[],
): Promise<string> {
  const text = renderReceipt(customer, order, lines);
  await database.query(
    'INSERT INTO receipts (order_id, email, text) VALUES ($1, $2, $3)',
    ...[order.id, customer.email, text],
  );
  return text;
}

function renderReceipt(customer: Customer, order: Order, lines: readonly OrderLine[]): string {
  const rows = lines.map((line) => `${line.quantity} × ${line.name}: ${inEuros(line.priceCents)}`);
  return [
    `Thank you, ${customer.name}!`,
    ...rows,
    `Tax: ${inEuros(order.taxCents)}`,
    `Total: ${inEuros(order.totalCents)}`,
  ].join('\n');
}

function inEuros(cents: number): string {
  return `€ ${(cents / 100).toFixed(2)}`;
}
