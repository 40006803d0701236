import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairPace } from './fair-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

const SLOT = { slotBytes: 100, slotMs: 20 };

/** Advances time slot by slot. In each slot, runs all pending callbacks that do not wait for a timer. */
async function passSlots(count: number) {
  for (let slot = 0; slot < count; slot += 1) {
    vi.advanceTimersByTime(SLOT.slotMs);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
}

/** Returns a function that passes bytes of an owner, and appends the owner to `passed` as soon as the bytes have passed. */
function passing(pace: FairPace, passed: string[]) {
  return (owner: string, bytes: number) => {
    const wait = pace.pass(owner, bytes);
    if (wait === undefined) passed.push(owner);
    else void wait.then(() => passed.push(owner));
  };
}

test('bytes pass immediately until the current time slot is full, and then wait for the next slots', async () => {
  const passed: string[] = [];
  const pass = passing(new FairPace(SLOT), passed);
  for (let piece = 0; piece < 5; piece += 1) pass('a', 60);
  expect(passed).toHaveLength(2);
  // The first slot has 100 bytes, so the second piece of 60 bytes also used 20 bytes of the second slot. The second slot lets two pieces
  // pass.
  await passSlots(1);
  expect(passed).toHaveLength(4);
  await passSlots(1);
  expect(passed).toHaveLength(5);
});

test('a piece larger than a slot waits for the slots that it fills, and delays later pieces in proportion', async () => {
  const passed: string[] = [];
  const pass = passing(new FairPace(SLOT), passed);
  pass('a', 350);
  pass('b', 10);
  await passSlots(2);
  expect(passed).toEqual(['a']);
  await passSlots(1);
  expect(passed).toEqual(['a', 'b']);
});

test('an owner that sends too much does not delay another owner', async () => {
  const passed: string[] = [];
  const pass = passing(new FairPace(SLOT), passed);
  for (let piece = 0; piece < 100; piece += 1) pass('hostile', 50);
  pass('shop', 50);
  await passSlots(1);
  expect(passed).toContain('shop');
  expect(passed.length).toBeLessThan(6);
});

test('an owner with many senders gets no more than an owner with a single sender', async () => {
  const pace = new FairPace(SLOT);
  const bytes = { hostile: 0, shop: 0 };
  const send = async (owner: keyof typeof bytes) => {
    for (;;) {
      await pace.pass(owner, 10);
      bytes[owner] += 10;
      // Simulates reading the next piece from a socket.
      await Promise.resolve();
    }
  };
  for (let sender = 0; sender < 20; sender += 1) void send('hostile');
  void send('shop');
  await passSlots(10);
  expect(bytes.shop).toBeGreaterThan(0.8 * bytes.hostile);
});

test('unused capacity of a slot is not saved for later slots', async () => {
  const passed: string[] = [];
  const pass = passing(new FairPace(SLOT), passed);
  await passSlots(50);
  for (let piece = 0; piece < 10; piece += 1) pass('a', 50);
  expect(passed).toHaveLength(2);
});
