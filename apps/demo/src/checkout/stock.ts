import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import type { OrderLine } from './prices.ts';

export interface Reservation {
  readonly productId: number;
  readonly quantity: number;
  /** In stock once this is taken. */
  readonly left: number;
}

const REORDER_BELOW = 40;
const REORDER_QUANTITY = 200;

/** Takes everything that is ordered from the stock, or nothing. Refuses (409) what is sold out. */
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

/** The supplier delivers at once: it is a demo. */
async function reorder(database: Database, productId: number): Promise<number> {
  const [product] = await database.query<{ left: number }>(
    'UPDATE products SET stock = stock + $2 WHERE id = $1 RETURNING stock AS left',
    ...[productId, REORDER_QUANTITY],
  );
  return product?.left ?? 0;
}

/** Puts reserved goods back. */
export async function releaseStock(database: Database, reservations: readonly Reservation[]): Promise<void> {
  for (const { productId, quantity } of reservations) {
    await database.query('UPDATE products SET stock = stock + $2 WHERE id = $1', productId, quantity);
  }
}
