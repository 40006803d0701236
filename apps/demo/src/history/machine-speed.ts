import { createHash } from 'node:crypto';

const ROUNDS = 40;
const RECORDS = 600;
/** Minimum slowdown that changes the replayed durations. A smaller slowdown can be noise of the measurement. */
const MIN_SLOWDOWN = 1.2;
const MAX_SLOWDOWN = 20;

/**
 * Measures how fast this machine runs code like the shop's. Runs a fixed piece of work several times and returns the shortest duration
 * in milliseconds, because the shortest duration hardly depends on other programs. Takes less than a second.
 */
export function measureWork(): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    work(round);
    shortestMs = Math.min(shortestMs, performance.now() - startMs);
  }
  return shortestMs;
}

/**
 * Returns the factor by which this machine is slower than the machine that recorded the history, at most `MAX_SLOWDOWN`, or 1 if the factor
 * is below `MIN_SLOWDOWN`. Without the factor, live requests on a slow machine would look like a regression since the history.
 */
export function compareSpeed(workMs: number, recordedWorkMs: number): number {
  const slowdown = workMs / recordedWorkMs;
  return slowdown < MIN_SLOWDOWN ? 1 : Math.min(slowdown, MAX_SLOWDOWN);
}

/** Sorts, serializes, parses and hashes some orders. */
function work(round: number): string {
  const orders = Array.from({ length: RECORDS }, (_order, index) => ({
    id: (index * 7919 + round) % RECORDS,
    email: `customer-${index}@shop.example`,
    lines: [{ product: index % 40, quantity: (index % 3) + 1, cents: index * 37 }],
  }));
  orders.sort((a, b) => a.id - b.id);
  const text = JSON.stringify(orders);
  const read: typeof orders = JSON.parse(text);
  const total = read.reduce((sum, { lines }) => sum + (lines[0]?.cents ?? 0), 0);
  return createHash('sha256').update(text).update(String(total)).digest('hex');
}
