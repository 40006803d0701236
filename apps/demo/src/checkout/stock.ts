import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import type { OrderLine } from './prices.ts';

export interface Reservation {
  readonly productId: number;
  readonly quantity: number;
  /** Stock that remains after the reservation. */
  readonly left: number;
}

const REORDER_BELOW = 40;
const REORDER_QUANTITY = 200;

/** Takes all ordered products from stock, or none of them. Rejects sold-out products (409). */
export async function reserveStock(database: Database, lines: readonly OrderLine[]): Promise<Reservation[]> {
  return await database.transaction(async function reserveAll(inside) {
    return await Promise.all(lines.map((line) => reserveLine(inside, line)));
  });
}

async function reserveLine(database: Database, line: OrderLine): Promise<Reservation> {
  const [product] = await database.query<{ left: number }>(
    'UPDATE products SET stock = stock - $2 WHERE id = $1 AND stock >= $2 RETURNING stock AS left',
    ...[line.productId, line.quantity],
  );
  if (product === undefined) throw new Refusal(409, `${line.name} is sold out`);
  const left = product.left < REORDER_BELOW ? await reorder(database, line.productId) : product.left;
  return { productId: line.productId, quantity: line.quantity, left };
}

/** Orders a product from the supplier. This is a simulation: the supplier delivers immediately. */
async function reorder(database: Database, productId: number): Promise<number> {
  const [product] = await database.query<{ left: number }>(
    'UPDATE products SET stock = stock + $2 WHERE id = $1 RETURNING stock AS left',
    ...[productId, REORDER_QUANTITY],
  );
  return product?.left ?? 0;
}

/** Returns reserved products to stock. */
export async function releaseStock(database: Database, reservations: readonly Reservation[]): Promise<void> {
  for (const { productId, quantity } of reservations) {
    await database.query('UPDATE products SET stock = stock + $2 WHERE id = $1', productId, quantity);
  }
}
