import { setTimeout as wait } from 'node:timers/promises';
import type { Flat } from './flats.ts';
import { formatLocal, parseLocal } from './london-time.ts';
import { weekly } from './recurrence.ts';

export interface ViewingSeries {
  start: string;
  weeks: number;
  visitors: number;
}

const diary = new Map<string, string>();

async function reserve(agent: string, instants: string[], flat: Flat): Promise<void> {
  await wait(6);
  for (const instant of instants) {
    const other = diary.get(`${agent} ${instant}`);
    if (other) throw Object.assign(new Error(`${agent} is at ${other}`), { status: 409 });
  }
  for (const instant of instants) diary.set(`${agent} ${instant}`, flat.address);
}

function durationMinutes(visitors: number): number {
  return Math.max(15, visitors * 5);
}

export async function planViewings(flat: Flat, { start, weeks, visitors }: ViewingSeries) {
  const instants = weekly(parseLocal(start), weeks);
  await reserve(flat.agent, instants, flat);
  return {
    flat: flat.address,
    agent: flat.agent,
    minutes: durationMinutes(visitors),
    viewings: instants.map(formatLocal),
  };
}
