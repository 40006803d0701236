import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Limits how much the heap grows between garbage collections: to 1.6 times its used size if `isSmall`, otherwise as V8 chooses (up to four
 * times). With the limit, nine bodies of 55 MB take 200 MB less, but ordinary batches would take up to a tenth more CPU time.
 */
export function limitHeapGrowth(isSmall: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isSmall ? 60 : 0}`);
}

/** If buffers occupy less than this, `collectBytes` leaves them to the regular garbage collection. */
const MAX_BYTES_LEFT = 16 * 1024 * 1024;

let collect: unknown;

/**
 * Runs the garbage collector if this thread's buffers occupy many megabytes. After a large body, the thread is idle, and the chunks and
 * rows of the body (up to 100 MB) would stay until the next body. Use this only in threads for which no request waits.
 */
export function collectBytes(): void {
  if (process.memoryUsage().arrayBuffers < MAX_BYTES_LEFT) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc');
  }
  if (typeof collect === 'function') collect();
}
