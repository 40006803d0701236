import type { Used } from '../documents/used.ts';

const DAY_MS = 86_400_000;

/**
 * Projects how many traces the month will have at its end, at the average rate since its start. Returns null on the first day, when a
 * projection is meaningless, and after the month.
 */
export function projectTraces({ traces, month }: Pick<Used, 'traces' | 'month'>, now: Date): number | null {
  const passed = now.getTime() - month.start.getTime();
  if (passed < DAY_MS || now >= month.end) return null;
  return Math.round((traces * (month.end.getTime() - month.start.getTime())) / passed);
}
