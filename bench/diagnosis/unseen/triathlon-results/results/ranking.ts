import { setTimeout as wait } from 'node:timers/promises';
import { formatClock, parseClock } from './clock.ts';
import { type Leg, type Limits, limitsOf } from './races.ts';

export interface Report {
  bib: number;
  swim: string;
  bike: string;
  run: string;
}

interface Finisher {
  bib: number;
  total: number;
}

const finishers = new Map<string, Finisher[]>();

function checkLimit(leg: Leg, seconds: number, limits: Limits): void {
  if (seconds <= limits[leg]) return;
  const message = `${leg} took ${formatClock(seconds)}, the limit is ${formatClock(limits[leg])}`;
  throw Object.assign(new Error(message), { status: 422 });
}

async function store(race: string, finisher: Finisher): Promise<Finisher[]> {
  await wait(4);
  const others = (finishers.get(race) ?? []).filter(({ bib }) => bib !== finisher.bib);
  const all = [...others, finisher].sort((a, b) => a.total - b.total);
  finishers.set(race, all);
  return all;
}

export async function record(race: string, report: Report) {
  const limits = await limitsOf(race);
  let total = 0;
  for (const leg of ['swim', 'bike', 'run'] as const) {
    const seconds = parseClock(report[leg]);
    checkLimit(leg, seconds, limits);
    total += seconds;
  }
  const all = await store(race, { bib: report.bib, total });
  return { bib: report.bib, total: formatClock(total), place: all.findIndex(({ bib }) => bib === report.bib) + 1 };
}

export async function ranking(race: string) {
  await limitsOf(race);
  return (finishers.get(race) ?? []).map(({ bib, total }, index) => ({ place: index + 1, bib, total: formatClock(total) }));
}
