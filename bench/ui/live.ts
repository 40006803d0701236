import { randomUUID } from 'node:crypto';
import { type MeasuredPage, shownAt } from './page.ts';
import { listedRequest } from './traces.ts';

const SENT = 10;

/**
 * Returns the longest time in ms from the acknowledgement of a request until its row was drawn in an open list, by the page's clock.
 * Returns 0 if every row was drawn before the acknowledgement.
 */
export async function acceptedToOnScreenMs(
  { page }: MeasuredPage,
  send: (traces: readonly unknown[]) => Promise<void>,
): Promise<number> {
  await page.goto('/dashboard');
  await shownAt(page, 'tbody tr[data-row]');
  let longestMs = 0;
  for (let turn = 0; turn < SENT; turn += 1) {
    const id = idNow();
    await send([{ ...listedRequest(1, Date.now()), _id: id }]);
    const accepted = await page.evaluate(() => performance.now());
    longestMs = Math.max(longestMs, (await shownAt(page, `[data-row="${id}"]`)) - accepted);
    // The pauses differ in length, because real requests do not follow each other at a fixed interval.
    await page.waitForTimeout(100 + 37 * turn);
  }
  return longestMs;
}

/** Returns a UUIDv7, as the SDK's request ids are: the first 48 bits are the time. */
function idNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
