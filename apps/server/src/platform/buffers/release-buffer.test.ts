import { expect, test } from 'vitest';
import { releaseBuffer } from './release-buffer.ts';

test('the memory of a large buffer is freed immediately, and all views of this memory become empty', () => {
  const bytes = Buffer.alloc(1_000_000, 1);
  const view = bytes.subarray(0, 10);
  releaseBuffer(bytes);
  expect([bytes.length, view.length]).toEqual([0, 0]);
});

test('the memory of a small buffer is not freed, because other buffers share this memory', () => {
  const [bytes, neighbour] = [Buffer.from('bytes'), Buffer.from('neighbour')];
  releaseBuffer(bytes);
  expect(`${bytes} ${neighbour}`).toBe('bytes neighbour');
});

test('freeing a buffer twice has no effect', () => {
  const bytes = Buffer.alloc(1_000_000);
  releaseBuffer(bytes);
  releaseBuffer(bytes);
  expect(bytes.length).toBe(0);
});
