import { setTimeout as wait } from 'node:timers/promises';

const taken: Record<string, string[]> = {
  Otter: ['2025-08-04', '2025-08-05', '2025-08-06'],
  Wagtail: ['2025-07-19'],
};

export function daysFrom(start: string, days: number): string[] {
  const first = Date.parse(start);
  return Array.from({ length: days }, (_, day) =>
    new Date(first + day * 86_400_000).toISOString().slice(0, 10),
  );
}

export async function isFree(boat: string, days: string[]): Promise<boolean> {
  await wait(2);
  const busy = taken[boat] ?? [];
  return !days.some((day) => busy.includes(day));
}
