import { setTimeout as wait } from 'node:timers/promises';
import { slugify } from './slug.ts';

export interface Shelf {
  aisle: number;
  row: string;
}

export class Cellar {
  readonly #shelves = new Map<string, Shelf>([
    ['barolo', { aisle: 3, row: 'B' }],
    ['marlborough', { aisle: 6, row: 'A' }],
    ['mosel', { aisle: 1, row: 'C' }],
    ['napa-valley', { aisle: 6, row: 'D' }],
    ['rioja', { aisle: 4, row: 'A' }],
    ['saint-emilion', { aisle: 2, row: 'B' }],
    ['saint-julien', { aisle: 2, row: 'C' }],
  ]);

  async shelfOf(appellation: string): Promise<Shelf> {
    await wait(3);
    return this.#shelves.get(slugify(appellation)) as Shelf;
  }
}
