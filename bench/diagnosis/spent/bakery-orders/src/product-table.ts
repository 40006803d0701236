import { setTimeout as wait } from 'node:timers/promises';

export interface Product {
  id: string;
  name: string;
  cents: number;
  shops: string[];
}

const rows: Product[] = [
  { id: 'rye', name: 'Rye loaf', cents: 420, shops: ['station', 'church-street'] },
  { id: 'spelt', name: 'Spelt loaf', cents: 490, shops: ['church-street'] },
  { id: 'bun', name: 'Cinnamon bun', cents: 180, shops: ['station', 'church-street'] },
  { id: 'pretzel', name: 'Butter pretzel', cents: 150, shops: ['station'] },
  { id: 'plum', name: 'Plum cake', cents: 1650, shops: ['church-street'] },
];

export class ProductTable {
  async offeredBy(shop: string): Promise<Product[]> {
    await wait(7);
    return rows.filter(({ shops }) => shops.includes(shop));
  }

  async find(shop: string, id: string): Promise<Product> {
    await wait(5);
    const row = rows.find((other) => other.id === id && other.shops.includes(shop));
    if (!row) throw Object.assign(new Error(`${shop} does not sell ${id}`), { status: 404 });
    return { ...row };
  }

  async update(id: string, changes: Partial<Product>): Promise<Product> {
    await wait(5);
    const row = rows.find((other) => other.id === id);
    if (!row) throw Object.assign(new Error(`no product ${id}`), { status: 404 });
    return Object.assign(row, changes);
  }
}
