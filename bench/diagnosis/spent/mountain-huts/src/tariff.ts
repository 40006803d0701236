import type { Hut } from './huts.ts';
import type { Guest } from './stay.ts';

export interface Tariff {
  bunk: Record<Guest, number>;
  room: Record<Guest, number>;
  halfBoard: number;
  linen: number;
  visitorsTax: number;
}

/** Default prices for a hut whose price sheet does not contain them. */
const usual: Partial<Tariff> = { linen: 6, visitorsTax: 1.5 };

function readSheet(sheet: string): Partial<Tariff> | null {
  try {
    return JSON.parse(sheet);
  } catch {
    return null;
  }
}

export function tariffOf(hut: Hut): Tariff {
  return { ...usual, ...readSheet(hut.sheet) } as Tariff;
}
