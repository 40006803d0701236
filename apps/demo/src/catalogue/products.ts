import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly priceCents: number;
  readonly stock: number;
}

const PRODUCTS = 'SELECT id, name, category, price_cents AS "priceCents", stock FROM products';

export async function searchProducts(
  database: Database,
  filter: { readonly category: string | undefined; readonly search: string | undefined },
): Promise<Product[]> {
  const products = await database.query<Product>(
    `${PRODUCTS} WHERE ($1::text IS NULL OR category = $1) AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0) ORDER BY name`,
    ...[filter.category ?? null, filter.search ?? null],
  );
  return products.map(withoutExactStock);
}

export async function findProduct(database: Database, id: number): Promise<Product> {
  const [product] = await database.query<Product>(`${PRODUCTS} WHERE id = $1`, id);
  if (product === undefined) throw new Refusal(404, `There is no product ${id}`);
  return product;
}

/** Reports a stock above 10 as 10, so that visitors do not see the exact number. */
function withoutExactStock(product: Product): Product {
  return { ...product, stock: Math.min(product.stock, 10) };
}
