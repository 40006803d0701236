import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { monthOf } from '../lib/dates.mjs';

const periods = new Map([
  ['2024-12', { state: 'open', entries: [] }],
  ['2025-01', { state: 'open', entries: [] }],
  ['2025-02', { state: 'open', entries: [] }],
  ['2025-03', { state: 'planned', entries: [] }],
]);

export function createLedger() {
  function openPeriod(month) {
    const period = periods.get(month);
    if (period?.state !== 'open') {
      throw Object.assign(new Error(`period ${month} is not open for postings`), { statusCode: 409 });
    }
    return period;
  }

  async function post(day, entry) {
    const period = openPeriod(monthOf(day));
    await wait(3);
    const posted = { id: `L${randomInt(1e6, 1e7)}`, day, ...entry };
    period.entries.push(posted);
    return posted;
  }

  return { post };
}
