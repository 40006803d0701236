import type { Used } from './describe.ts';

const DAY_MS = 86_400_000;

/**
 * What the month's traces will be at its end, by a straight line from its start. Null while less than a day of it is known, which would say anything,
 * and once it is over.
 */
export function projectedTraces({ traces, month }: Pick<Used, 'traces' | 'month'>, now: Date): number | null {
  const passed = now.getTime() - month.start.getTime();
  if (passed < DAY_MS || now >= month.end) return null;
  return Math.round((traces * (month.end.getTime() - month.start.getTime())) / passed);
}
