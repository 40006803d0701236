import { setTimeout as sleep } from 'node:timers/promises';

/** Work for this long, then leave the event loop to other work for as long. */
const SLICE_MS = 8;

/** Gives each waiting item a turn, one after the other, until none has more to do. Takes at most half of the event loop's time. */
export function createTurns<Waiting>(
  /** Runs one turn; returns true if there is more to do. Must not reject. */
  work: (waiting: Waiting) => boolean | Promise<boolean>,
): (waiting: Waiting) => void {
  const queue = new Set<Waiting>();
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    let sliceStartMs = performance.now();
    for (const next of queue) {
      queue.delete(next);
      // Adds it behind all others: iterating a set includes items added on the way.
      if (await work(next)) queue.add(next);
      const spentMs = performance.now() - sliceStartMs;
      if (spentMs < SLICE_MS) continue;
      await sleep(spentMs);
      sliceStartMs = performance.now();
    }
    isRunning = false;
  };
  return (waiting) => {
    queue.add(waiting);
    if (!isRunning) void run();
  };
}
