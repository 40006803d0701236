import { setTimeout as wait } from 'node:timers/promises';

export interface Desk {
  readonly name: string;
  readonly partners: readonly string[];
  readonly rooms: Readonly<Record<string, string>>;
}

const desks: readonly Desk[] = [
  { name: 'Bern', partners: ['Thun', 'Biel'], rooms: { bag: 'K2', phone: 'S1', coat: 'K4' } },
  { name: 'Basel SBB', partners: ['Olten'], rooms: { bag: 'U3', phone: 'U1', coat: 'U5' } },
  { name: 'Zürich HB', partners: ['Winterthur', 'Zug'], rooms: { bag: 'A14', phone: 'A02', coat: 'A15' } },
  { name: 'Chur', partners: [], rooms: { bag: 'L1', phone: 'L1', coat: 'L2' } },
];

const normalise = (name: string) => name.trim().toLowerCase();

export async function deskOf(name: string): Promise<Desk> {
  await wait(4);
  const wanted = normalise(name);
  return desks.find((desk) => normalise(desk.name) === wanted) as Desk;
}
