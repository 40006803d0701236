import { setTimeout as sleep } from 'node:timers/promises';

const closed = new Set(['2025-W18', '2025-W19']);

/** Asks the payroll department's calendar. */
export async function isOpen(week) {
  await sleep(35);
  return !closed.has(week);
}
