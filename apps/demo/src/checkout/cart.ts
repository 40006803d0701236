import { findProduct } from '../catalogue/products.ts';
import type { Database } from '../database/database.ts';

export interface CartItem {
  readonly productId: number;
  readonly name: string;
  readonly category: string;
  readonly priceCents: number;
  readonly quantity: number;
}

export async function loadCart(database: Database, customerId: number): Promise<CartItem[]> {
  return await database.query<CartItem>(
    `SELECT product_id AS "productId", name, category, price_cents AS "priceCents", quantity
     FROM cart_items JOIN products ON products.id = cart_items.product_id
     WHERE user_id = $1 ORDER BY product_id`,
    customerId,
  );
}

/** Adds a product to the cart, or increases its quantity, to at most 20. Rejects an unknown product (404). */
export async function addToCart(
  database: Database,
  customerId: number,
  item: { readonly productId: number; readonly quantity: number },
): Promise<CartItem[]> {
  const product = await findProduct(database, item.productId);
  await database.query(
    `INSERT INTO cart_items (user_id, product_id, quantity) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = LEAST(cart_items.quantity + excluded.quantity, 20)`,
    ...[customerId, product.id, item.quantity],
  );
  return await loadCart(database, customerId);
}

export async function emptyCart(database: Database, customerId: number): Promise<void> {
  await database.query('DELETE FROM cart_items WHERE user_id = $1', customerId);
}
