import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { TraceQueue } from './queue.ts';

setFlagsFromString('--expose-gc');
const collect: unknown = vm.runInNewContext('gc');

test('a trace that was removed from the queue is released from memory', async () => {
  const queue = new TraceQueue();
  for (let sequence = 0; sequence < 500; sequence++)
    queue.add({ json: Buffer.alloc(100), block: null, sequence, holdsValues: false });
  const first = new WeakRef(queue.oldest ?? {});
  for (let taken = 0; taken < 400; taken++) expect(queue.shift()?.sequence).toBe(taken);
  expect(queue.size).toBe(100);
  expect(queue.bytes).toBe(10_000);
  expect(queue.oldest?.sequence).toBe(400);
  // Creating a WeakRef keeps its target alive until the current job ends, so the garbage is collected in the next turn.
  await new Promise(setImmediate);
  if (typeof collect === 'function') collect();
  expect(first.deref()).toBeUndefined();
});
