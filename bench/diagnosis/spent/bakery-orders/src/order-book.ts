import { setTimeout as wait } from 'node:timers/promises';
import type { PriceList } from './price-list.ts';
import type { Product } from './product-table.ts';

interface Line {
  product: string;
  pieces: number;
  cents: number;
}

interface NewOrder {
  name: string;
  day: string;
  lines: Line[];
}

export class OrderBook {
  readonly #prices: PriceList;
  readonly #perDay = new Map<string, number>();

  constructor(prices: PriceList) {
    this.#prices = prices;
  }

  async add(shop: string, { name, day, lines }: NewOrder) {
    const items: string[] = [];
    let total = 0;
    for (const line of lines) {
      const product = await this.#prices.lookUp(shop, line.product);
      this.#confirmPrice(line, product);
      items.push(`${line.pieces} ${product.name}`);
      total += line.pieces * product.cents;
    }
    const number = await this.#enter(shop, day);
    return { number: `${day}/${number}`, name, items, total };
  }

  #confirmPrice(line: Line, { name, cents }: Product): void {
    if (line.cents === cents) return;
    throw Object.assign(new Error(`${name} costs ${cents / 100}, please reload the page`), { status: 409 });
  }

  async #enter(shop: string, day: string): Promise<number> {
    await wait(4);
    const number = (this.#perDay.get(`${shop} ${day}`) ?? 0) + 1;
    this.#perDay.set(`${shop} ${day}`, number);
    return number;
  }
}
