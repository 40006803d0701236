import { setTimeout as wait } from 'node:timers/promises';
import type { Hut } from './huts.ts';
import type { Stay } from './stay.ts';
import { tariffOf, type Tariff } from './tariff.ts';

const euros = (amount: number) => `€ ${amount.toFixed(2)}`;

async function freePlaces(hut: Hut): Promise<number> {
  await wait(7);
  return hut.altitude > 2550 ? 6 : 12;
}

function extras(tariff: Tariff, stay: Stay): number {
  const tax = tariff.visitorsTax * stay.nights;
  const linen = stay.place === 'room' ? tariff.linen : 0;
  return (tax + linen) * stay.guests.length;
}

function beds(tariff: Tariff, stay: Stay): number {
  const rates = tariff[stay.place];
  return stay.guests.reduce((sum, guest) => sum + rates[guest], 0) * stay.nights;
}

function board(tariff: Tariff, stay: Stay): number {
  return stay.halfBoard ? tariff.halfBoard * stay.guests.length * stay.nights : 0;
}

export async function quote(hut: Hut, stay: Stay) {
  const free = await freePlaces(hut);
  if (stay.guests.length > free) return { hut: hut.name, available: false };
  const tariff = tariffOf(hut);
  const parts = { extras: extras(tariff, stay), board: board(tariff, stay), beds: beds(tariff, stay) };
  const total = parts.extras + parts.board + parts.beds;
  return { hut: hut.name, available: true, ...parts, total: euros(total), validUntil: Date.now() + 900_000 };
}
