import type { Database } from '../database/database.ts';

export interface TaxRate {
  readonly name: string;
  /** The share of the net price: 0.2 is 20 %. */
  readonly rate: number;
}

/** We deliver to no country that has no rate, so each one asked for is there. */
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

/** The value-added tax of where the goods go. */
export function taxFor(country: string, netCents: number, table: TaxTable): Tax {
  const entry = table.get(country);
  const cents = Math.round(netCents * entry.rate);
  return { name: entry.name, rate: entry.rate, cents };
}
