import { setTimeout as wait } from 'node:timers/promises';

const batteries = { 's-118': 36, 's-204': 71, 's-207': 58, 's-212': 90, 's-311': 11, 's-320': 47 };

function toPercent(millivolts) {
  return Math.round((millivolts - 30_000) / 120);
}

export async function poll(scooter) {
  await wait(20);
  const millivolts = 30_000 + batteries[scooter] * 120;
  return toPercent(millivolts);
}
