import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum time of uninterrupted work. After it, other work can use the event loop for as long as this work took. */
const SLICE_MS = 8;

/** Gives the waiting items turns, one item after the other, until no item has more to do. Takes at most half of the event loop's time. */
export function createTurns<Waiting>(
  /** Runs one turn. Returns true if the item has more to do. Must not reject. */
  work: (waiting: Waiting) => boolean | Promise<boolean>,
): (waiting: Waiting) => void {
  const queue = new Set<Waiting>();
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    let sliceStartMs = performance.now();
    for (const next of queue) {
      queue.delete(next);
      // Adds the item at the end of the queue. Iteration over a Set includes items that are added during the iteration.
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
