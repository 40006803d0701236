import { syncBuiltinESMExports } from 'node:module';
import util from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { record, stepNamed, traced } from '../../../test/traced.ts';

const { pass, awaiting } = traced(`
async function load(value) { if (value === -1) throw new RangeError('negative'); return value }
async function wait(value) { await null; if (value === -1) throw new RangeError('negative'); return value }
exports.pass = function pass(value, waits) { return waits ? wait(value) : load(value) };
exports.awaiting = async function awaiting(value) { return (await value).id };`);

/** Counts the reads of promises, which are calls of `util.inspect`. */
let reads: number;
const { inspect } = util;

beforeEach(() => {
  reads = 0;
  util.inspect = Object.assign((...args: Parameters<typeof inspect>) => {
    reads++;
    return inspect(...args);
  }, inspect) as typeof inspect;
  syncBuiltinESMExports();
});
afterEach(() => {
  util.inspect = inspect;
  syncBuiltinESMExports();
});

/** Handles a promise in code that is not traced, as a framework does. */
const settled = (promise: unknown) => Promise.allSettled([promise]);

test('the outcome of the promise of a traced async function is known without reading the promise, whether or not the function awaits', async () => {
  for (const value of [{ id: 7 }, -1]) {
    // The first call makes V8 report settled promises.
    const { flow } = await record(() =>
      Promise.all([true, false].map((waits) => settled(pass?.(value, waits)))),
    );
    const steps = flow.filter(({ stepName }) => stepName === 'pass');
    expect(steps).toHaveLength(2);
    for (const { outputs, error } of steps) {
      expect(outputs).toEqual(value === -1 ? undefined : value);
      expect(error?.name).toBe(value === -1 ? 'RangeError' : undefined);
    }
  }
  expect(reads).toBe(0);
});

test('the outcome of a promise that awaits another promise is read, and is not the value that the function returned', async () => {
  const accessor = Object.defineProperty({}, 'then', {
    get: () => (resolve: (value: unknown) => void) => resolve('other'),
  });
  const callable = Object.assign(() => {}, {
    // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
    then: (resolve: (value: unknown) => void) => resolve('other'),
  });
  for (const value of [accessor, callable, Promise.resolve('other'), new Proxy(accessor, {})]) {
    const { flow } = await record(() => {
      // This call makes V8 report settled promises.
      void pass?.(new Promise(() => {}), false);
      return settled(pass?.(value, false));
    });
    const [, second] = flow.filter(({ stepName }) => stepName === 'pass');
    expect(second?.outputs).toBe('other');
  }
  expect(reads).toBeGreaterThan(0);
});

test('a request whose promises have all settled reads no promise when it ends', async () => {
  const value = Promise.resolve({ id: 7 });
  const { result, flow } = await record(() => awaiting?.(value));
  expect(result).toBe(7);
  expect(stepNamed(flow, 'awaiting').outputs).toBe(7);
  expect(reads).toBe(0);
});

test("a step that outlives its caller is marked as detached, even if the outcome of the caller's promise is read later", async () => {
  const { outer } = traced(`
  function save(order) { return (async () => { await 1; return order })(); }
  function handler(order) { save(order); return Promise.resolve(order); }
  function middle(order) { handler(order); return order; }
  exports.outer = async function outer(end) { middle({ id: 1 }); await end(); };`);
  const end = () => new Promise((resolve) => setTimeout(resolve, 10));
  // The first call makes V8 report settled promises.
  await record(() => outer?.(end));
  const { flow } = await record(() => outer?.(end));
  expect(stepNamed(flow, 'save').metadata).toMatchObject({ detached: true });
  // The promise of `handler` had settled when `handler` returned.
  expect(stepNamed(flow, 'handler').metadata).toBeUndefined();
});
