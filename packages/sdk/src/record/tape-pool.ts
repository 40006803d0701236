import { JsonTape } from './json-tape.ts';

/** Large enough for most requests. */
const FIRST_BLOCK = 16 * 1024;
/** Larger buffers are not pooled. */
const MAX_POOLED_LENGTH = 64 * 1024;
const MAX_POOLED = 32;

const free: JsonTape[] = [];
let count = 0;

/** Returns an empty buffer, a pooled one where possible: memory outside the heap is slow to allocate. */
export function takeTape(): JsonTape {
  const tape = count > 0 ? free[--count] : undefined;
  return tape ?? new JsonTape(FIRST_BLOCK);
}

/** Gives a buffer back. Neither the buffer nor any text in it can be used afterwards. */
export function giveBackTape(tape: JsonTape): void {
  if (tape.capacity > MAX_POOLED_LENGTH || count >= MAX_POOLED) return;
  tape.end = 0;
  tape.stacks = null;
  free[count++] = tape;
}
