import { setTimeout as wait } from 'node:timers/promises';

const perEuro = new Map([
  ['EUR', 1],
  ['CHF', 0.94],
  ['GBP', 0.85],
  ['NOK', 11.7],
  ['PLN', 4.26],
  ['SEK', 11.1],
  ['USD', 1.1],
]);

export async function rateOf(currency: string): Promise<number> {
  await wait(4);
  return perEuro.get(currency) as number;
}

export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}
