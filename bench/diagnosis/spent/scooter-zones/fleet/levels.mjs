import { poll } from './modem.mjs';

const reported = new Map();

export function remember(scooter, level) {
  reported.set(scooter, level);
}

export async function levelOf(scooter) {
  return poll(scooter);
}

export async function weakestLevel(scooters) {
  let weakest = 100;
  scooters.forEach(async (scooter) => {
    const level = reported.get(scooter) ?? (await levelOf(scooter));
    weakest = Math.min(weakest, level);
  });
  return weakest;
}
