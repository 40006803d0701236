import type { Catalogue, Wine } from './catalogue.ts';
import type { Cellar } from './cellar.ts';

export interface OrderLine {
  sku: string;
  bottles: number;
}

const FREE_DELIVERY_FROM = 9000;

export class OrderDesk {
  #next = 5001;
  readonly #catalogue: Catalogue;
  readonly #cellar: Cellar;

  constructor(catalogue: Catalogue, cellar: Cellar) {
    this.#catalogue = catalogue;
    this.#cellar = cellar;
  }

  async place(customer: string, lines: OrderLine[]) {
    const wines = await this.#catalogue.findAll(lines.map(({ sku }) => sku));
    const goods = this.goods(wines, lines);
    const delivery = this.delivery(goods, lines);
    const picking = await this.pickingList(wines, lines);
    return { order: `W-${this.#next++}`, customer, goods, delivery, total: goods + delivery, picking };
  }

  async pickingList(wines: Wine[], lines: OrderLine[]): Promise<string[]> {
    const stops = await Promise.all(
      wines.map(async (wine, index) => {
        const { aisle, row } = await this.#cellar.shelfOf(wine.appellation);
        return { aisle, text: `${aisle}${row}: ${lines[index]?.bottles} x ${wine.name} ${wine.vintage}` };
      })
    );
    return stops.sort((a, b) => a.aisle - b.aisle).map(({ text }) => text);
  }

  goods(wines: Wine[], lines: OrderLine[]): number {
    return wines.reduce((sum, { cents }, index) => sum + cents * (lines[index]?.bottles ?? 0), 0);
  }

  delivery(goods: number, lines: OrderLine[]): number {
    if (goods >= FREE_DELIVERY_FROM) return 0;
    return lines.reduce((sum, { bottles }) => sum + bottles, 0) > 6 ? 990 : 590;
  }
}
