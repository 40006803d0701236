import { setTimeout as wait } from 'node:timers/promises';

const LATENCY_MS = 14;

function seatAt(id) {
  const index = Number(id.slice(1)) - 100;
  return { player: id, desk: Math.floor(index / 2) + 1, side: index % 2 === 0 ? 'L' : 'R' };
}

export async function seatOf(id) {
  await wait(LATENCY_MS);
  return seatAt(id);
}

export async function seatsOf(ids) {
  await wait(LATENCY_MS);
  return new Map(ids.map((id) => [id, seatAt(id)]));
}
