import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { outline, type PlainStep, record, stepNamed, traced } from '../../test/traced.ts';
import { propagation } from './async/async-parent.ts';
import { getCurrentRecording } from './async/current-recording.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';

const LAYERS = `
const repo = { findOne(id) { return load(id) } };
const service = { async findOne(id) { return repo.findOne(id) } };
const helper = (id) => service.findOne(id);
exports.controller = function controller(id) { return helper(id) };
exports.awaiting = async function awaiting(id) { const found = await helper(id); found.more = 1; return found.id };`;

/** Calls a function from code that is not traced, as a framework does. */
const untraced = async (fn: ((...args: unknown[]) => unknown) | undefined, ...args: unknown[]) => {
  const found = await fn?.(...args);
  return found;
};

const all = async (promises: unknown) => Promise.all(promises as unknown[]);

/** A query like those of database clients: each call of `then` runs the query. */
class Query {
  runs = 0;
  readonly #rows: () => Promise<unknown>;
  constructor(rows: () => Promise<unknown>) {
    this.#rows = rows;
  }
  where(): this {
    return this;
  }
  // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
  then(resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown): Promise<unknown> {
    this.runs++;
    return this.#rows().then(resolve, reject);
  }
}

/** Waits, then records a step named `settles`, and returns. */
async function later<T>(value?: T): Promise<T | undefined> {
  await wait(5);
  const recording = getCurrentRecording();
  const step = recording?.open({ name: 'settles', type: 'custom', parent: null });
  if (recording && step) recording.close(step);
  return value;
}

/** True if a step ended after the first `settles` step began. */
function endsLate(step: PlainStep, flow: readonly PlainStep[]): boolean {
  const settles = flow.find(({ stepName }) => stepName === 'settles');
  if (settles === undefined) throw new Error('nothing settled');
  return step.endMicros >= settles.startMicros;
}

const leaveOutSettles = (flow: readonly PlainStep[]) => flow.filter(({ stepName }) => stepName !== 'settles');

describe.each(['all', 'structure'] as const)('in capture mode %s', (capture) => {
  test.each([
    ['awaited by code that is not traced', 'controller'],
    ['awaited by a traced function', 'awaiting'],
  ])('functions that return a promise, %s, end when it settles and show its value', async (_, name) => {
    const functions = traced(LAYERS, { load: (id: number) => later({ id }) });
    const { flow } = await record(() => untraced(functions[name], 7), capture);
    const steps = leaveOutSettles(flow);
    expect(outline(steps)).toBe(`${name}\n  helper\n    service.findOne\n      repo.findOne`);
    for (const [index, step] of steps.entries()) {
      expect(endsLate(step, flow)).toBe(true);
      expect(step.metadata).toBeUndefined();
      const caller = steps[index - 1];
      expect(caller?.endMicros ?? Infinity).toBeGreaterThanOrEqual(step.endMicros);
      if (capture === 'structure' || step.stepName === 'awaiting') continue;
      expect(step.outputs).toEqual({ id: 7 });
      expect(step.variables).toMatchObject({
        capturedAt: 'exit',
        parameters: { id: 7 },
        returnValue: { id: 7 },
      });
    }
  });

  test.each(['controller', 'awaiting'])(
    'if %s calls functions that return a rejected promise, each function shows the error, and all but the innermost show it as rethrown',
    async (name) => {
      const error = new TypeError('no such row');
      const functions = traced(LAYERS, {
        load: async () => {
          await wait(5);
          throw error;
        },
      });
      const { flow, thrown } = await record(() => untraced(functions[name], 7), capture);
      expect(thrown).toBe(error);
      expect(flow.length).toBe(4);
      for (const step of flow) {
        const isOrigin = step.stepName === 'repo.findOne';
        expect(step.error?.message).toBe('no such row');
        expect(step.error?.name).toBe('TypeError');
        expect(step.metadata).toEqual(isOrigin ? undefined : { rethrown: true });
        expect(step.outputs).toBeUndefined();
      }
    },
  );

  test('an error belongs to the async function that threw the error; functions that return the promise of that function only pass the error on', async () => {
    const { outer } = traced(
      `async function bad() { await null; throw new Error('deep') }
       function middle() { return bad() }
       async function other() { return middle() }
       exports.outer = async function outer() { try { await other() } catch (error) { return error.message } };`,
    );
    const { flow, result } = await record(outer, capture);
    expect(result).toBe('deep');
    expect(stepNamed(flow, 'bad').metadata).toBeUndefined();
    for (const name of ['middle', 'other']) {
      expect(stepNamed(flow, name).error?.message).toBe('deep');
      expect(stepNamed(flow, name).metadata).toEqual({ rethrown: true });
    }
    expect(stepNamed(flow, 'outer').error).toBeUndefined();
  });

  test('a step ends immediately if the function returns a promise that has already settled', async () => {
    const known = Promise.resolve({ known: true });
    const { main } = traced(
      `const cached = () => known;
       function made() { return Promise.resolve({ made: true }) }
       async function finds() { return { found: true } }
       function passes() { return finds() }
       const fails = () => Promise.reject(new RangeError('none'));
       exports.main = async function main() {
         const got = [await cached(), await made(), await passes()];
         await all([cached(), made(), passes()]);
         await fails().catch(() => {});
         await later();
         return got;
       };`,
      { known, all, later },
    );
    const { flow } = await record(main, capture);
    const expected: Record<string, unknown> = {
      cached: { known: true },
      made: { made: true },
      passes: { found: true },
      finds: { found: true },
    };
    const short = leaveOutSettles(flow).filter(({ stepName }) => stepName !== 'main');
    expect(short.length).toBe(10);
    for (const step of short) {
      expect(endsLate(step, flow)).toBe(false);
      expect(step.metadata).toBeUndefined();
      if (capture === 'all') expect(step.outputs).toEqual(expected[step.stepName]);
    }
    expect(stepNamed(flow, 'fails').error?.message).toBe('none');
  });

  test("a lazy query that an async function returns runs once, below the function's step, which ends with the query", async () => {
    const query = new Query(async () => {
      rows?.();
      return later(['a', 'b']);
    });
    const { getTags, rows } = traced(
      `exports.rows = function rows() {};
       exports.getTags = async function getTags() { return query };`,
      { query },
    );
    const { flow, result } = await record(() => untraced(getTags), capture);
    expect(result).toEqual(['a', 'b']);
    expect(query.runs).toBe(1);
    expect(outline(leaveOutSettles(flow))).toBe('getTags\n  rows');
    expect(endsLate(stepNamed(flow, 'getTags'), flow)).toBe(true);
    if (capture === 'all') expect(stepNamed(flow, 'getTags').outputs).toEqual(['a', 'b']);
  });

  test.each([true, false])(
    "a lazy query that ordinary functions return runs once, and the functions' steps end with the query if traced code awaits the query",
    async (isCarrying) => {
      const query = new Query(async () => {
        const recording = getCurrentRecording();
        recording?.open({ name: 'rows', type: 'database', parent: recording.here });
        return later(['a']);
      });
      const { main } = traced(
        `const repo = () => query.where();
       const service = () => repo();
       exports.main = async function main() { return [await service(), unused()] };
       const unused = () => query;`,
        { query },
      );
      propagation.on = isCarrying;
      const { flow, result } = await record(() => untraced(main), capture).finally(() => {
        propagation.on = false;
      });
      expect(result).toEqual([['a'], query]);
      expect(query.runs).toBe(1);
      if (isCarrying)
        expect(outline(leaveOutSettles(flow))).toBe('main\n  service\n    repo\n      rows\n  unused');
      for (const name of ['service', 'repo']) {
        expect(endsLate(stepNamed(flow, name), flow)).toBe(true);
        if (capture === 'all') expect(stepNamed(flow, name).outputs).toEqual(['a']);
      }
      expect(stepNamed(flow, 'unused').metadata).toBeUndefined();
    },
  );

  test('the error of a query is the error of each function that returned the query', async () => {
    const query = new Query(async () => {
      await wait(5);
      throw new Error('no such table');
    });
    const { main } = traced(
      `const repo = () => query;
       const service = async () => repo();
       exports.main = async function main() { try { await service() } catch { return 'none' } };`,
      { query },
    );
    const { flow, result } = await record(() => untraced(main), capture);
    expect(result).toBe('none');
    expect(query.runs).toBe(1);
    expect(stepNamed(flow, 'repo').error?.message).toBe('no such table');
    expect(stepNamed(flow, 'repo').metadata).toBeUndefined();
    expect(stepNamed(flow, 'service').metadata).toEqual({ rethrown: true });
  });

  test('the step of a promise that nobody awaits is marked as detached if the promise settles after the caller of the step ended', async () => {
    const { main } = traced(
      `const background = async () => { await later(); return 1 };
       const alsoBackground = () => later();
       const awaited = async () => { await later() };
       const starts = () => { background(); alsoBackground() };
       const inTime = () => { setTimeout(async () => { await pause(1) }, 1) };
       exports.main = async function main() { starts(); inTime(); await awaited(); await pause(20) };`,
      { later, pause: wait, setTimeout },
    );
    const { flow } = await record(main, capture);
    const detached = flow.filter(({ metadata }) => metadata !== undefined);
    expect(detached.map(({ stepName, metadata }) => [stepName, metadata])).toEqual([
      ['background', { detached: true }],
      ['alsoBackground', { detached: true }],
    ]);
    for (const step of detached) expect(endsLate(step, flow)).toBe(true);
  });

  test('a promise that has not settled when the request is over leaves its steps unfinished', async () => {
    const { main } = traced(
      `const never = () => new Promise(() => {});
       exports.main = async function main() { never() };`,
    );
    const { flow } = await record(main, capture);
    expect(stepNamed(flow, 'never').metadata).toMatchObject({ unfinished: true });
    expect(stepNamed(flow, 'never').outputs).toBeUndefined();
  });

  test('the calls of a call aggregate end when their promises settle, and calls that fail show their errors', async () => {
    const { main } = traced(
      `const load = (n) => n % 10 === 9 ? pause(2).then(() => { throw new Error('bad ' + n) }) : pause(2, n);
       exports.main = async function main() {
         for (let n = 0; n < 40; n++) await load(n).catch(() => {});
         const together = [];
         for (let n = 0; n < 100; n++) together.push(load(n * 10));
         await all(together);
       };`,
      { pause: wait, all },
    );
    const { flow } = await record(main, capture);
    const calls = flow.filter(({ stepName }) => stepName === 'load');
    const aggregated = calls.find(({ repeat }) => repeat !== undefined);
    const count = aggregated?.repeat?.count ?? 0;
    expect(count + calls.length - 1).toBe(140);
    expect(aggregated?.repeat?.minMs).toBeGreaterThan(0.5);
    expect(calls.filter(({ error }) => error !== undefined).map(({ error }) => error?.message)).toEqual([
      'bad 9',
      'bad 19',
      'bad 29',
      'bad 39',
    ]);
    const { endMicros } = stepNamed(flow, 'main');
    for (const call of calls) expect(call.endMicros).toBeLessThanOrEqual(endMicros);
  });
});

test('a promise that two requests share ends the steps of both requests', async () => {
  const { get } = traced('let shared; exports.get = () => shared ??= later({ shared: 1 });', { later });
  const [one, other] = await Promise.all([record(get), record(get)]);
  for (const { flow } of [one, other]) {
    expect(stepNamed(flow, 'get').outputs).toEqual({ shared: 1 });
    expect(stepNamed(flow, 'get').metadata).toBeUndefined();
  }
  const again = await record(get);
  expect(stepNamed(again.flow, 'get').outputs).toEqual({ shared: 1 });
});

test("a promise's value is captured before the awaiting code continues", async () => {
  const { main } = traced(
    `const find = () => load();
     const query = async () => find();
     exports.main = async function main() { const found = await query(); delete found.name; return 1 };`,
    { load: () => wait(2, { name: 'Ada' }) },
  );
  const { flow } = await record(main);
  for (const name of ['find', 'query']) expect(stepNamed(flow, name).outputs).toEqual({ name: 'Ada' });
});

test('if a promise resolves to an object that an earlier step contains, the later step refers to the earlier one', async () => {
  const { main } = traced(
    `const find = () => load();
     const again = () => load();
     exports.main = async function main() { await find(); await again(); };`,
    { load: () => wait(1, order) },
  );
  const { flow } = await record(main);
  expect(stepNamed(flow, 'again').variables).toMatchObject({ seenBefore: { return: ['2', 'return'] } });
});

const order = { id: 1 };

test('a promise that the SDK watches behaves exactly like a promise that the SDK does not watch', async () => {
  const promise = wait(2, 1);
  const before = Reflect.ownKeys(promise);
  const { get } = traced('exports.get = () => promise', { promise });
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const got = runRecording(recording, () => get?.());
  expect(got).toBe(promise);
  expect(Reflect.ownKeys(promise)).toEqual(before);
  await promise;
  expect(Reflect.ownKeys(promise)).toEqual(before);
  recording.finish();
});

test('Node still reports an unhandled rejection, and a rejection that is handled late', async () => {
  const seen: string[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const unhandled = (reason: unknown) => seen.push(`unhandled ${reason}`);
  const handled = () => seen.push('handled');
  process.on('unhandledRejection', unhandled);
  process.on('rejectionHandled', handled);
  try {
    const { main } = traced(
      `const rejects = (n) => pause(1).then(() => { throw n });
       const through = async (n) => rejects(n);
       const broken = async (n) => { for (;;) { try { return rejects(n) } finally { break } } };
       exports.main = async function main() {
         rejects(1); through(2); broken(3);
         const late = rejects(4);
         await pause(10);
         late.catch(() => {});
         await pause(10);
       };`,
      { pause: wait },
    );
    const { flow } = await record(main);
    expect(seen.toSorted()).toEqual(['handled', 'unhandled 1', 'unhandled 2', 'unhandled 3', 'unhandled 4']);
    expect(flow.filter(({ error }) => error !== undefined).length).toBeGreaterThanOrEqual(5);
  } finally {
    process.off('unhandledRejection', unhandled);
    process.off('rejectionHandled', handled);
    for (const listener of others) process.on('unhandledRejection', listener);
  }
});
