import { expect, test } from 'vitest';
import { giveBack } from './release-buffer.ts';

test('large bytes give their memory back at once, with all views of it', () => {
  const bytes = Buffer.alloc(1_000_000, 1);
  const view = bytes.subarray(0, 10);
  giveBack(bytes);
  expect([bytes.length, view.length]).toEqual([0, 0]);
});

test('small bytes stay, since others share their memory', () => {
  const [bytes, neighbour] = [Buffer.from('bytes'), Buffer.from('neighbour')];
  giveBack(bytes);
  expect(`${bytes} ${neighbour}`).toBe('bytes neighbour');
});

test('giving back twice does no harm', () => {
  const bytes = Buffer.alloc(1_000_000);
  giveBack(bytes);
  giveBack(bytes);
  expect(bytes.length).toBe(0);
});
