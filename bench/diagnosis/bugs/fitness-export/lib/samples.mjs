import { setTimeout as sleep } from 'node:timers/promises';

function record(count, base) {
  return Array.from({ length: count }, (_, i) => ({ at: i * 30, bpm: base + ((i * 7) % 45) }));
}

const sessions = new Map([
  ['nora', record(250, 88)],
  ['felix', record(180, 95)],
  ['aiko', record(220, 79)],
  ['sven', record(140, 102)],
]);

export async function hasAthlete(id) {
  await sleep(1);
  return sessions.has(id);
}

export async function fetchSamples(athlete, page, size) {
  await sleep(3);
  const start = (page - 1) * size;
  return sessions.get(athlete).slice(start, start + size);
}
