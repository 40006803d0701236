import { setTimeout as wait } from 'node:timers/promises';
import { NotFound } from './errors.ts';

export interface Tariff {
  adult: number;
  child: number;
}

const table = new Map<string, Tariff>([
  ['hochalm', { adult: 60, child: 30 }],
  ['steinkar', { adult: 52, child: 26 }],
  ['rossboden', { adult: 44, child: 20 }],
]);

export async function readTariff(resort: string): Promise<Tariff> {
  await wait(12);
  const tariff = table.get(resort);
  if (!tariff) throw new NotFound(`there is no resort ${resort}`);
  return tariff;
}

export async function writeTariff(resort: string, tariff: Tariff): Promise<void> {
  await wait(8);
  table.set(resort, tariff);
}
