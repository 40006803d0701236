import { setTimeout as wait } from 'node:timers/promises';

export interface Flat {
  id: string;
  address: string;
  rent: number;
  agent: string;
}

const flats: Flat[] = [
  { id: 'elm-4', address: '4 Elm Terrace', rent: 1450, agent: 'Farrah' },
  { id: 'dock-12b', address: '12b Dock Street', rent: 1820, agent: 'Colin' },
  { id: 'abbey-7', address: '7 Abbey Close', rent: 1275, agent: 'Farrah' },
  { id: 'mill-31', address: '31 Mill Lane', rent: 2100, agent: 'Joyce' },
];

export async function findFlat(id: string): Promise<Flat | undefined> {
  await wait(3);
  return flats.find((flat) => flat.id === id);
}
