import { randomUUID } from 'node:crypto';
import { type MeasuredPage, shownAt } from './page.ts';
import { listedRequest } from './traces.ts';

const SENT = 10;

/**
 * The longest that one of some requests took from the answer to its sender until its row was drawn in an open list, as the page's own clock has it.
 * Milliseconds; 0 where the rows were there first.
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
    // People's requests do not come in step with the answers to each other.
    await page.waitForTimeout(100 + 37 * turn);
  }
  return longestMs;
}

/** A UUIDv7, as the SDK gives a request: its first 48 bits are the time. */
function idNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
