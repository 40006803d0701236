import { readSensor } from './sensor.mjs';

const DAMPING_MS = 10;

async function waitUntilStable(settle) {
  const pause = settle + DAMPING_MS;
  await new Promise((resolve) => setTimeout(resolve, pause));
}

function inUnit(grams, unit) {
  return unit === 'mg' ? Math.round(grams * 1000) : grams;
}

export async function weigh(sampleId, { settle, unit }) {
  await waitUntilStable(settle);
  const grams = await readSensor(sampleId);
  if (grams === null) return null;
  return { weight: inUnit(grams, unit), unit };
}
