import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is done in one go; then everything else of the process has as much time. */
const SLICE_MS = 8;

/** Gives each that waits a turn, one after the other, until none has more to do. Takes half of the event loop's time at most. */
export function createTurns<Waiting>(
  /** One turn; answers whether there is more to do. Must not reject. */
  work: (waiting: Waiting) => boolean | Promise<boolean>,
): (waiting: Waiting) => void {
  const queue = new Set<Waiting>();
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    let sliceStartMs = performance.now();
    for (const next of queue) {
      queue.delete(next);
      // Behind all others: a set goes through what is added on the way.
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
