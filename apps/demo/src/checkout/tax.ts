import type { Database } from '../database/database.ts';

export interface TaxRate {
  readonly name: string;
  /** Tax rate on the net price: 0.2 is 20 %. */
  readonly rate: number;
}

/** Tax rates by country. The shop delivers only to countries with a rate, so every requested country has an entry. */
export interface TaxTable {
  get(country: string): TaxRate;
}

export interface Tax extends TaxRate {
  readonly cents: number;
}

export async function loadTaxTable(database: Database): Promise<TaxTable> {
  const rates = await database.query<TaxRate & { readonly country: string }>(
    'SELECT country, name, rate FROM tax_rates ORDER BY country',
  );
  const table = new Map<string, TaxRate>();
  for (const { country, name, rate } of rates) table.set(country, { name, rate });
  return table as TaxTable;
}

/** Calculates the value-added tax of the country of delivery. */
export function taxFor(country: string, netCents: number, table: TaxTable): Tax {
  const entry = table.get(country);
  const cents = Math.round(netCents * entry.rate);
  return { name: entry.name, rate: entry.rate, cents };
}
