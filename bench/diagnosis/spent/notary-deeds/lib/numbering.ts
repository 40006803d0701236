import { setTimeout as wait } from 'node:timers/promises';

/** Deeds of a year are numbered without gaps, so a number is only taken when its deed is in the archive. */
export function createNumbering(lastNumbers: Record<number, number>) {
  const last = new Map(Object.entries(lastNumbers).map(([year, number]) => [Number(year), number]));

  return {
    async nextNumber(year: number): Promise<number> {
      await wait(3);
      return (last.get(year) ?? 0) + 1;
    },

    async taken(year: number, number: number): Promise<void> {
      await wait(3);
      last.set(year, number);
    },
  };
}
