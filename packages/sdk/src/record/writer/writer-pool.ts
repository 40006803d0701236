import { JsonWriter } from './json-writer.ts';

/** Initial size of a buffer, in bytes. It is sufficient for most requests. */
const FIRST_BLOCK = 16 * 1024;
/** Maximum size of a buffer that is pooled, in bytes. */
const MAX_POOLED_LENGTH = 64 * 1024;
const MAX_POOLED = 32;

const free: JsonWriter[] = [];
let count = 0;

/** Returns an empty writer. Uses the pool if possible, because allocating memory outside the heap is slow. */
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
