import { fetchRate } from './central-bank.ts';

const rates = new Map<string, number>();

function rateKey(currency: string, at: Date): string {
  return `${currency} ${at.toISOString()}`;
}

/** The bank sets its rates once a day. */
export async function rateOf(currency: string, at: Date): Promise<number> {
  if (currency === 'EUR') return 1;
  const key = rateKey(currency, at);
  const known = rates.get(key);
  if (known !== undefined) return known;
  const rate = await fetchRate(currency);
  rates.set(key, rate);
  return rate;
}
