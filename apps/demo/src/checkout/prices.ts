import type { CartItem } from './cart.ts';

export interface OrderLine {
  readonly productId: number;
  readonly name: string;
  readonly quantity: number;
  /** Price of the whole line, in cents. */
  readonly priceCents: number;
}

const BULK_FROM = 5;
const BULK_FACTOR = 0.95;

export function priceLines(items: readonly CartItem[]): OrderLine[] {
  return items.map(priceLine);
}

/** Calculates the price of an order's line. Five or more of the same product cost 5 % less. */
function priceLine(item: CartItem): OrderLine {
  const full = item.priceCents * item.quantity;
  const priceCents = item.quantity >= BULK_FROM ? Math.round(full * BULK_FACTOR) : full;
  return { productId: item.productId, name: item.name, quantity: item.quantity, priceCents };
}

export function sumLines(lines: readonly OrderLine[]): number {
  let sumCents = 0;
  for (const line of lines) sumCents += line.priceCents;
  return sumCents;
}
