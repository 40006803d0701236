import { nearestCrossing, toKilometres } from './crossings.ts';
import type { Point } from './stops.ts';

export interface Route {
  kilometres: number;
  via: string | null;
}

function alongStreets(from: Point, to: Point): number {
  return Math.abs(from.east - to.east) + Math.abs(from.north - to.north);
}

export async function planRoute(from: Point, to: Point): Promise<Route> {
  if (from.north * to.north > 0) return { kilometres: alongStreets(from, to), via: null };
  const crossing = await nearestCrossing((from.east + to.east) / 2);
  const head = { east: crossing.east, north: 0 };
  const kilometres = alongStreets(from, head) + toKilometres(crossing.length) + alongStreets(head, to);
  return { kilometres, via: crossing.name };
}
