import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { discardRest } from './discard-rest.ts';

const MEGABYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A rejected request whose body never ends. */
function endlessMessage() {
  const read = { bytes: 0 };
  const stream = new Readable({
    read() {
      read.bytes += CHUNK.length;
      setImmediate(() => this.push(CHUNK));
    },
  });
  return { message: Object.assign(stream, { complete: false, socket: new Socket() }), read };
}

/** Runs all pending callbacks that do not wait for a timer. */
async function settle() {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
}

test('the rest of rejected bodies is read and discarded at 50 MB a second in total, however many bodies there are', async () => {
  const messages = Array.from({ length: 20 }, endlessMessage);
  for (const { message } of messages) discardRest(message);
  const bytes = () => messages.reduce((sum, { read }) => sum + read.bytes, 0);
  await settle();
  // Bytes that the messages' buffers take before reading pauses, in addition to the bytes that the pace allows.
  const ahead = messages.length * 3 * CHUNK.length;
  expect(bytes()).toBeLessThanOrEqual(MEGABYTE + ahead);
  for (let slots = 1; slots <= 10; slots += 1) {
    vi.advanceTimersByTime(20);
    await settle();
  }
  expect(bytes()).toBeGreaterThan(5 * MEGABYTE);
  expect(bytes()).toBeLessThanOrEqual(11 * MEGABYTE + ahead);
  for (const { message } of messages) message.destroy();
});

test('a connection is closed if its rejected body still continues after ten seconds', async () => {
  const { message } = endlessMessage();
  discardRest(message);
  await settle();
  vi.advanceTimersByTime(9_990);
  expect(message.socket.destroyed).toBe(false);
  vi.advanceTimersByTime(20);
  expect(message.socket.destroyed).toBe(true);
  message.destroy();
});
