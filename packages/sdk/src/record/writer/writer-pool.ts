import { JsonWriter } from './json-writer.ts';

/** Large enough for most requests. */
const FIRST_BLOCK = 16 * 1024;
/** Larger buffers are not pooled. */
const MAX_POOLED_LENGTH = 64 * 1024;
const MAX_POOLED = 32;

const free: JsonWriter[] = [];
let count = 0;

/** Returns an empty writer, from the pool if possible, because memory outside the heap is slow to allocate. */
export function takeWriter(): JsonWriter {
  const writer = count > 0 ? free[--count] : undefined;
  return writer ?? new JsonWriter(FIRST_BLOCK);
}

/** Returns a writer to the pool. The caller must not use the writer, or any value in its buffer, afterwards. */
export function returnWriter(writer: JsonWriter): void {
  if (writer.capacity > MAX_POOLED_LENGTH || count >= MAX_POOLED) return;
  writer.end = 0;
  writer.stacks = null;
  free[count++] = writer;
}
