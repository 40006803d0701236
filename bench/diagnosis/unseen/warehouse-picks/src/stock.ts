import { setTimeout as wait } from 'node:timers/promises';
import { activeSite } from './site.ts';

export interface Bin {
  site: string;
  sku: string;
  place: string;
  pieces: number;
}

const bins: Bin[] = [
  ...['K-118', 'K-131', 'K-142', 'K-150', 'K-166', 'K-204', 'K-219', 'K-226', 'K-233'].map((sku, index) => ({
    site: 'LEJ',
    sku,
    place: `A${(index * 5) % 9}-${10 + index}`,
    pieces: 20 + index,
  })),
  { site: 'HAM', sku: 'K-300', place: 'C1-02', pieces: 75 },
  { site: 'HAM', sku: 'K-312', place: 'C4-11', pieces: 12 },
  { site: 'HAM', sku: 'K-320', place: 'B7-03', pieces: 31 },
  { site: 'MUC', sku: 'K-400', place: 'R2-01', pieces: 140 },
  { site: 'MUC', sku: 'K-415', place: 'R2-08', pieces: 9 },
];

export function binOf(site: string, sku: string): Bin {
  const bin = bins.find((one) => one.site === site && one.sku === sku);
  if (!bin) throw Object.assign(new Error(`no bin holds ${sku} in ${site}`), { status: 404 });
  return bin;
}

export async function stockLevel(sku: string) {
  const { place, pieces } = binOf(activeSite(), sku);
  await wait(2);
  return { sku, place, pieces };
}
