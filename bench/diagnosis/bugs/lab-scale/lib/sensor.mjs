import { setTimeout as sleep } from 'node:timers/promises';

const plate = new Map([
  ['s-01', 1.254],
  ['s-02', 0.873],
  ['s-03', 12.4],
  ['s-04', 3.337],
  ['s-05', 0.051],
]);

export async function readSensor(sampleId) {
  await sleep(1);
  return plate.get(sampleId) ?? null;
}
