import { expect, test } from 'vitest';
import { collectBytes } from './heap.ts';

const MB = 1024 * 1024;
const countBytes = () => process.memoryUsage().arrayBuffers;

/** Allocates memory that is not referenced afterwards. */
function leaveBytes(megabytes: number): number {
  const left = Array.from({ length: megabytes }, () => new Uint8Array(MB));
  return countBytes() + 0 * left.length;
}

test('a garbage collection frees many megabytes of unused buffers immediately', () => {
  const before = leaveBytes(64);
  collectBytes();
  expect(countBytes()).toBeLessThan(before - 40 * MB);
});
