import { setTimeout as wait } from 'node:timers/promises';

export interface Limits {
  swim: number;
  bike: number;
  run: number;
}

export type Leg = keyof Limits;

const races: Record<string, Limits> = {
  waldsee: { swim: 2_400, bike: 7_200, run: 5_400 },
  hafencity: { swim: 3_000, bike: 9_000, run: 6_000 },
  langdistanz: { swim: 8_400, bike: 30_600, run: 21_600 },
};

export async function limitsOf(race: string): Promise<Limits> {
  await wait(5);
  const limits = races[race];
  if (!limits) throw Object.assign(new Error(`there is no race ${race}`), { status: 404 });
  return limits;
}
