import { tariffOf } from './tariffs.ts';

export interface Party {
  adults: number;
  children: number;
  days: number;
}

function discount(days: number): number {
  if (days >= 6) return 0.8;
  return days >= 4 ? 0.9 : 1;
}

function family({ adults, children }: Party): boolean {
  return adults >= 1 && adults <= 2 && children >= 2;
}

export async function quote(resort: string, party: Party) {
  const { adult, child } = await tariffOf(resort);
  const perDay = party.adults * adult + party.children * child - (family(party) ? child : 0);
  return { resort, days: party.days, euros: Math.round(perDay * party.days * discount(party.days)) };
}
