import { afterEach, describe, expect, test, vi } from 'vitest';
import { Arrivals } from './arrivals.ts';
import { ByteBudget } from './byte-budget.ts';

const HURRIED = { graceMs: 200, minBytesPerSecond: 1000, slowAfterMs: 50 };
const CALM = { ...HURRIED, graceMs: 60_000 };

/** Creates a body that a test sends piece by piece. */
function sending() {
  let push: (piece: Buffer | undefined) => void = () => {};
  const pieces: (Buffer | undefined)[] = [];
  const message = {
    headers: {},
    async *iterator() {
      for (;;) {
        if (pieces.length === 0) await new Promise<void>((resolve) => (push = () => resolve()));
        const piece = pieces.shift();
        if (piece === undefined) return;
        yield piece;
      }
    },
  };
  const send = (piece: Buffer | undefined) => {
    pieces.push(piece);
    push(piece);
  };
  return { message, send: (bytes: number) => send(Buffer.alloc(bytes)), end: () => send(undefined) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const open: (() => void)[] = [];
afterEach(() => {
  for (const end of open.splice(0)) end();
});

function reading(arrivals: Arrivals, budget: ByteBudget, owner: string) {
  const sent = sending();
  open.push(sent.end);
  const share = budget.open(owner);
  const outcome = arrivals.read(sent.message, share).then(
    (bytes) => bytes.length,
    (error: { readonly code?: string }) => {
      share.settle(0);
      return error.code;
    },
  );
  return { ...sent, outcome };
}

describe('an arriving body', () => {
  test('uses memory of the budget for its received bytes, not for its declared length', async () => {
    const budget = new ByteBudget(100);
    const body = reading(new Arrivals(budget, CALM), budget, 'a');
    await pause(1);
    expect(budget.used).toBe(0);
    body.send(10);
    await pause(1);
    expect(budget.used).toBe(10);
    body.end();
    expect(await body.outcome).toBe(10);
  });

  test('is refused if it arrives more slowly than the minimum pace, but not otherwise', async () => {
    const budget = new ByteBudget(100_000);
    const arrivals = new Arrivals(budget, HURRIED);
    const [stalled, steady] = [reading(arrivals, budget, 'a'), reading(arrivals, budget, 'b')];
    stalled.send(10);
    steady.send(1500);
    expect(await stalled.outcome).toBe('request_timeout');
    steady.send(500);
    steady.end();
    expect(await steady.outcome).toBe(2000);
  });

  test('is refused if it has been slow and other owners need the memory that it uses', async () => {
    const budget = new ByteBudget(90);
    const arrivals = new Arrivals(budget, CALM);
    const slow = ['a', 'b', 'c'].map((owner) => reading(arrivals, budget, owner));
    for (const body of slow) body.send(27);
    await pause(100);
    const quick = reading(arrivals, budget, 'd');
    quick.send(30);
    quick.end();
    expect(await quick.outcome).toBe(30);
    expect(await slow[0]?.outcome).toBe('overloaded');
    for (const body of slow.slice(1)) {
      body.end();
      expect(await body.outcome).toBe(27);
    }
  });

  test('is not refused if the owner that needs memory already uses more memory', async () => {
    const budget = new ByteBudget(100);
    const arrivals = new Arrivals(budget, CALM);
    const slow = reading(arrivals, budget, 'a');
    slow.send(10);
    await pause(100);
    const flood = [reading(arrivals, budget, 'b'), reading(arrivals, budget, 'b')];
    for (const body of flood) {
      body.send(46);
      body.end();
    }
    expect(await Promise.all(flood.map(({ outcome }) => outcome))).toEqual([46, 'overloaded']);
    slow.end();
    expect(await slow.outcome).toBe(10);
  });
});

const MEGABYTE = 1024 * 1024;

/** Runs all pending work that does not wait for a timer. */
async function settle() {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
}

describe('large bodies that arrive as fast as they can', () => {
  test('are read at a limited pace beyond their first megabyte, equally for each owner', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const budget = new ByteBudget(200 * MEGABYTE);
      const arrivals = new Arrivals(budget, CALM);
      const bodies = ['hostile', 'hostile', 'hostile', 'shop'].map((owner) =>
        reading(arrivals, budget, owner),
      );
      for (const { send, end } of bodies) {
        for (let bytes = 0; bytes < 7 * MEGABYTE; bytes += MEGABYTE / 16) send(MEGABYTE / 16);
        end();
      }
      await settle();
      // Each body has at most its first megabyte in memory, and the chunk that exceeds it. One more megabyte can be in memory for all
      // bodies together.
      expect(budget.used).toBeLessThanOrEqual(5.5 * MEGABYTE);
      for (let slots = 0; slots < 8; slots += 1) {
        vi.advanceTimersByTime(20);
        await settle();
      }
      expect(budget.used).toBeLessThanOrEqual(13.5 * MEGABYTE);
      expect(budget.usedBy('shop')).toBeGreaterThan(4 * MEGABYTE);
      for (let slots = 0; slots < 30; slots += 1) {
        vi.advanceTimersByTime(20);
        await settle();
      }
      expect(await Promise.all(bodies.map(({ outcome }) => outcome))).toEqual(bodies.map(() => 7 * MEGABYTE));
    } finally {
      vi.useRealTimers();
    }
  });
});
