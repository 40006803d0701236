import { readTariff, type Tariff, writeTariff } from './store.ts';

const known = new Map<string, Tariff>();

export async function tariffOf(resort: string): Promise<Tariff> {
  const tariff = known.get(resort) ?? (await readTariff(resort));
  known.set(resort, tariff);
  return tariff;
}

export async function replaceTariff(resort: string, tariff: Tariff): Promise<Tariff> {
  await readTariff(resort);
  await writeTariff(resort, tariff);
  known.delete(resort);
  return tariff;
}

export async function increase(resort: string, percent: number): Promise<Tariff> {
  const { adult, child } = await readTariff(resort);
  const raise = (euros: number) => Math.round((euros * (100 + percent)) / 100);
  const tariff = { adult: raise(adult), child: raise(child) };
  await writeTariff(resort, tariff);
  return tariff;
}
