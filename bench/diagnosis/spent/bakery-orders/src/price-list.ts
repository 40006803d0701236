import type { Product, ProductTable } from './product-table.ts';

/** Remembers the products that were ordered since the morning. */
export class PriceList {
  readonly #products: ProductTable;
  readonly #known = new Map<string, Product>();

  constructor(products: ProductTable) {
    this.#products = products;
  }

  async lookUp(shop: string, id: string): Promise<Product> {
    const key = `${shop}/${id}`;
    const known = this.#known.get(key);
    if (known) return known;
    const product = await this.#products.find(shop, id);
    this.#known.set(key, product);
    return product;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
