import { JsonTape } from './json-tape.ts';

/** Enough for most requests. */
const FIRST_BLOCK = 16 * 1024;
/** Longer tapes are let go. */
const MAX_POOLED_LENGTH = 64 * 1024;
const MAX_POOLED = 32;

const free: JsonTape[] = [];
let count = 0;

/** An empty tape: one that was given back, if there is any, since memory outside of the heap is slow to get. */
export function takeTape(): JsonTape {
  const tape = count > 0 ? free[--count] : undefined;
  return tape ?? new JsonTape(FIRST_BLOCK);
}

/** Nobody may use the tape any more, nor any text on it. */
export function giveBackTape(tape: JsonTape): void {
  if (tape.capacity > MAX_POOLED_LENGTH || count >= MAX_POOLED) return;
  tape.end = 0;
  tape.stacks = null;
  free[count++] = tape;
}
