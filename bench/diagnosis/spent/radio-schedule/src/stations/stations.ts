import { setTimeout as wait } from 'node:timers/promises';
import type { ZoneName } from '../clock/zones.ts';

export interface Station {
  id: string;
  name: string;
  zone: ZoneName;
}

const stations: Station[] = [
  { id: 'spree', name: 'Spree FM', zone: 'central' },
  { id: 'tejo', name: 'Rádio Tejo', zone: 'western' },
  { id: 'saaristo', name: 'Saaristo Radio', zone: 'eastern' },
];

export async function stationOf(id: string): Promise<Station | undefined> {
  await wait(3);
  return stations.find((station) => station.id === id);
}
