import type { Order } from '../app/order.ts';
import type { Customer } from '../customers/customers.ts';
import { discountLabels, discountPercent } from './discounts.ts';
import { deduct, subtotal } from './prices.ts';
import { promotionOn } from './promotions.ts';

const money = (cents: number) => (cents / 100).toFixed(2);

export function readyOn(droppedOff: string, pieces: number): string {
  const days = pieces > 10 ? 4 : 2;
  return new Date(Date.parse(droppedOff) + days * 86_400_000).toISOString().slice(0, 10);
}

export async function receipt(customer: Customer, { lines, droppedOff }: Order) {
  const promotion = await promotionOn(droppedOff);
  const before = subtotal(lines);
  const total = deduct(before, discountPercent(customer, promotion));
  const pieces = lines.reduce((sum, line) => sum + line.pieces, 0);
  return {
    ticket: `${customer.id}-${Date.now().toString(36)}`,
    ready: readyOn(droppedOff, pieces),
    before: money(before),
    discounts: discountLabels(customer, promotion),
    total: money(total),
  };
}
