import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Limits heap growth between garbage collections to 1.6 times the used size, or lets V8 choose: up to four
 * times. With the limit, nine bodies of 55 MB take 200 MB less, but ordinary batches would take up to a tenth
 * more CPU time.
 */
export function keepHeapSmall(isSmall: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isSmall ? 60 : 0}`);
}

/** Below this size, memory is left to the regular garbage collection. */
const MAX_BYTES_LEFT = 16 * 1024 * 1024;

let collect: unknown;

/**
 * Runs the garbage collector if this thread's buffers occupy many megabytes. A thread that has read a large
 * body is then idle, and the body's chunks and rows, up to 100 MB, would stay until the next body. Only for
 * threads that no request waits for.
 */
export function collectBytes(): void {
  if (process.memoryUsage().arrayBuffers < MAX_BYTES_LEFT) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc');
  }
  if (typeof collect === 'function') collect();
}
