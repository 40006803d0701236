import { setTimeout as sleep } from 'node:timers/promises';

const CHAPTERS = { 61: 0.12, 64: 0.08, 69: 0.05, 85: 0.037, 94: 0.027 };
const PREFERENCES = { CH: 0, NO: 0, GB: 0, TR: 0.01, JP: 0.005 };
const MEASURES = { '6404110090/CN': 0.17, '8517130000/CN': 0.037, '6911100010/CN': 0.179, '6109100010/BD': 0 };

export const getChapter = (commodity) => commodity.slice(0, 2);

/** The rate of a free trade agreement, or undefined. */
export function preferentialRate(origin) {
  return PREFERENCES[origin];
}

/** Asks the tariff service for the measures against a third country. */
export async function thirdCountryRate(commodity, origin) {
  await sleep(6);
  return MEASURES[`${commodity}/${origin}`] ?? CHAPTERS[getChapter(commodity)] ?? 0.04;
}
