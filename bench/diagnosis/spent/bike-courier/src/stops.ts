import { setTimeout as wait } from 'node:timers/promises';

/** A position in kilometres from the cathedral. The river runs along `north` 0. */
export interface Point {
  east: number;
  north: number;
}

export interface Stop extends Point {
  id: string;
  street: string;
}

const stops: Stop[] = [
  { id: 'print-works', street: 'Tanner Row 4', east: 0.5, north: 1.5 },
  { id: 'notary', street: 'Castle Hill 11', east: 1.25, north: 0.75 },
  { id: 'town-hall', street: 'Market Square 1', east: 0, north: -0.5 },
  { id: 'dental-lab', street: 'Ring Road 88', east: 4.5, north: 1 },
  { id: 'university', street: 'Linden Avenue 2', east: 3.5, north: -1.25 },
  { id: 'customs', street: 'Quay 7', east: 7, north: 0.5 },
  { id: 'shipyard', street: 'Dock Road 30', east: 8, north: -0.75 },
  { id: 'fish-market', street: 'Quay 19', east: 6.25, north: 0.25 },
];

export async function findStop(id: string): Promise<Stop> {
  await wait(4);
  const stop = stops.find((other) => other.id === id);
  if (!stop) throw Object.assign(new Error(`unknown stop ${id}`), { status: 404 });
  return stop;
}
