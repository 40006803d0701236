import type { Worker } from 'node:worker_threads';
import { withTimeout } from '../queues/with-timeout.ts';

/** Maximum time until a thread reports its processor time. A thread that takes longer counts as over its limit. */
const USAGE_MS = 2_000;
/** Minimum time between two checks of a thread's processor time. */
const MIN_CHECK_MS = 100;

export interface ThreadTime {
  /** Maximum processor time of the thread. */
  readonly cpuMs: number;
  /** Maximum elapsed time. It is longer than `cpuMs`, because the thread waits while other programs use the processor. */
  readonly elapsedMs: number;
}

/**
 * Calls `exceed` once if a thread uses too much processor time from now on (`cpu`), or takes too long (`elapsed`). Returns a function that
 * ends the supervision.
 */
export function limitThreadTime(
  worker: Worker,
  { cpuMs, elapsedMs }: ThreadTime,
  exceed: (limit: 'cpu' | 'elapsed') => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const startMs = performance.now();
  const before = readCpuMs(worker);
  const checkAfter = (waitMs: number) => {
    timer = setTimeout(async () => {
      const [usedBefore, used] = await Promise.all([before, readCpuMs(worker)]);
      if (isOver) return;
      const leftMs = used === undefined ? 0 : cpuMs - (used - (usedBefore ?? 0));
      const leftElapsedMs = elapsedMs - (performance.now() - startMs);
      if (leftMs > 0 && leftElapsedMs > 0)
        return checkAfter(Math.max(Math.min(leftMs, leftElapsedMs), MIN_CHECK_MS));
      isOver = true;
      exceed(leftMs > 0 ? 'elapsed' : 'cpu');
    }, waitMs);
  };
  checkAfter(cpuMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Returns the processor time of a thread in milliseconds; undefined if the thread does not report it. */
async function readCpuMs(worker: Worker): Promise<number | undefined> {
  const usage = await withTimeout(USAGE_MS, worker.cpuUsage());
  return usage === undefined ? undefined : (usage.user + usage.system) / 1000;
}
