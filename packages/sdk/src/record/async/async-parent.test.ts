import EventEmitter from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load, outline, record, stepNamed, traced } from '../../../test/traced.ts';
import { propagation } from './async-parent.ts';
import { getCurrentRecording } from './current-recording.ts';

beforeAll(() => {
  propagation.on = true;
});
afterAll(() => {
  propagation.on = false;
});

/** Asynchronous work of a library. No host code is on the stack after its awaits. */
async function libraryWork(name: string): Promise<string> {
  await Promise.resolve();
  await new Promise((wait) => setTimeout(wait, Math.random() * 5));
  const recording = getCurrentRecording();
  const step = recording?.open({ name, type: 'custom', parent: recording.here });
  await new Promise((wait) => setTimeout(wait, Math.random() * 5));
  if (recording && step) recording.close(step);
  return name;
}

const { run } = traced(
  `
  async function one(name) { const first = await libraryWork(name); return libraryWork(first + ' again'); }
  function sync(name) { return libraryWork(name); }
  async function caught() { try { await Promise.reject(new Error('no')); } catch { await libraryWork('after the error'); } }
  async function* many() { yield await libraryWork('first'); yield await libraryWork('second'); }
  exports.run = async function run() {
    const begun = libraryWork('not awaited');
    await Promise.all([one('a'), one('b'), sync('c'), caught(), one('d')]);
    for await (const each of many()) await libraryWork('for ' + each);
    await begun;
    return libraryWork('at the end');
  };`,
  { libraryWork },
);

test('work that a library does later is below the function that requested it', async () => {
  const { flow, result } = await record(run);
  expect(result).toBe('at the end');
  const parents = new Map(flow.map((step) => [step.stepId, step]));
  const pairs = flow
    .filter(({ stepType }) => stepType === 'custom')
    .map(({ stepName, parentStepId }) => `${parents.get(parentStepId ?? '')?.stepName} > ${stepName}`)
    .sort();
  expect(pairs).toEqual([
    'caught > after the error',
    'many > first',
    'many > second',
    'one > a',
    'one > a again',
    'one > b',
    'one > b again',
    'one > d',
    'one > d again',
    'run > at the end',
    'run > for first',
    'run > for second',
    'run > not awaited',
    'sync > c',
  ]);
  expect(outline(flow)).toContain('  sync\n    c');
});

/** A lazy thenable, such as a query of an object-relational mapper: its work starts when it is awaited. */
function lazyWork(name: string) {
  let work: Promise<string> | undefined;
  return {
    // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
    then(...settled: Parameters<Promise<string>['then']>) {
      const recording = getCurrentRecording();
      const step = recording?.open({ name, type: 'custom', parent: recording.here });
      if (recording && step) recording.close(step);
      work ??= Promise.resolve(name);
      return work.then(...settled);
    },
  };
}

test('work that starts only when it is awaited is below the function that awaits it', async () => {
  const { main } = traced(
    `async function find() { const row = await lazyWork('awaited'); return row }
     async function hand() { return lazyWork('handed on') }
     exports.main = async function main() { return [await find(), await hand(), ...await Promise.all([find()])] }`,
    { lazyWork },
  );
  const { flow, result } = await record(main);
  expect(result).toEqual(['awaited', 'handed on', 'awaited']);
  expect(outline(flow)).toBe('main\n  find\n    awaited\n  hand\n    handed on\n  find\n    awaited');
});

test('awaiting any value leads to the same result in the same microtask turn as without instrumentation', async () => {
  const source = `
    exports.main = async function main() {
      const seen = []; let tick = 0, on = true;
      const ticking = (async () => { while (on) { tick++; await null } })();
      const reads = { get then() { seen.push(['read', tick]); return undefined } };
      class Own extends Promise {}
      const awaited = [
        () => 1, () => null, () => ({ a: 1 }), () => Promise.resolve(2), () => Own.resolve(3), () => reads,
        () => ({ then: (ok) => { seen.push(['called', tick]); ok(4) } }),
        () => ({ then: (ok) => ok(Promise.resolve(5)) }),
        () => ({ then: (_, no) => no(new Error('six')) }),
        () => ({ then() { throw new Error('seven') } }),
        () => ({ get then() { throw new Error('eight') } }),
        () => new Proxy({}, { get: (_, key) => { seen.push([String(key), tick]) } }),
        () => Object.assign(() => 9, { then: (ok) => ok(9) }),
      ];
      for (const make of awaited) {
        try { const got = await make(); seen.push([typeof got, got?.a ?? (typeof got === 'number' ? got : ''), tick]) }
        catch (error) { seen.push([error.message, tick]) }
      }
      on = false; await ticking;
      return seen;
    }`;
  const plain = await load(source).main?.();
  const { result } = await record(traced(source).main);
  expect(result).toEqual(plain);
  expect(plain).toHaveLength(17);
});

test('if a job queue of the host continues a compiled async function, the function restores the context, so that the next job has no parent', async () => {
  const jobs: (() => void)[] = [];
  /** A promise whose callbacks wait in a queue of the host, as the callbacks of Bluebird's promises do. */
  class Queued {
    // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
    readonly then: (react: (value: unknown) => void) => void;
    constructor(start: (resolve: (value: unknown) => void) => void) {
      const value = new Promise(start);
      // biome-ignore lint/suspicious/noThenProperty: a promise has this property
      this.then = (react) => void value.then((settled) => jobs.push(() => react(settled)));
    }
  }
  const { waits } = traced(
    `var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
      return new P(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : new P(function (done) { done(result.value); }).then(fulfilled); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
      });
    };
    exports.waits = function waits() { return __awaiter(this, void 0, Queued, function* () { yield 1; yield 2; }); };`,
    { Queued },
  );
  const parents: unknown[] = [];
  await record(async () => {
    void waits?.();
    for (let turn = 0; turn < 4; turn++) {
      await new Promise((next) => setTimeout(next, 1));
      jobs.push(() => parents.push(getCurrentRecording()?.here ?? null));
      for (const job of jobs.splice(0)) job();
    }
  });
  expect(parents).toEqual([null, null, null, null]);
});

/** Starts work of a library. The work is recorded later, with an empty stack. */
function later(name: string): void {
  setTimeout(() => {
    const recording = getCurrentRecording();
    const step = recording?.open({ name, type: 'custom', parent: recording.here });
    if (recording && step) recording.close(step);
  }, 1);
}

test('if an `await` or `for await` throws immediately, later work of the caller is still below the caller', async () => {
  const { each, one } = traced(
    `
    async function inner(it) { try { for await (const item of it) later(item); } catch {} later('in inner'); }
    async function waiting(it) { try { await it; } catch {} later('in waiting'); }
    exports.each = async function each(it, end) { const begun = inner(it); later('in each'); await begun; await end(); };
    exports.one = async function one(it, end) { const begun = waiting(it); later('in one'); await begun; await end(); };`,
    { later },
  );
  const broken = {
    [Symbol.asyncIterator]() {
      throw new Error('no iterator');
    },
  };
  const promise = Object.defineProperty(Promise.resolve(), 'constructor', {
    get() {
      throw new Error('no constructor');
    },
  });
  const end = () => new Promise((resolve) => setTimeout(resolve, 20));
  const names = async (run: typeof each, value: object) => {
    const { flow } = await record(() => run?.(value, end));
    const stepNames = new Map(flow.map(({ stepId, stepName }) => [stepId, stepName]));
    return flow
      .filter(({ stepType }) => stepType === 'custom')
      .map(({ stepName, parentStepId }) => `${stepNames.get(parentStepId ?? '')} > ${stepName}`)
      .sort();
  };
  expect(await names(each, broken)).toEqual(['each > in each', 'inner > in inner']);
  expect(await names(one, promise)).toEqual(['one > in one', 'waiting > in waiting']);
});

test('if the `for await` of a listener throws, the listener still leaves the context of its request when it returns, so later work belongs to no request', async () => {
  const bus = new EventEmitter();
  const broken = {
    [Symbol.asyncIterator]: () => ({
      next() {
        throw new Error('no value');
      },
    }),
  };
  const { listen } = traced(`
    exports.listen = function listen(bus, it) {
      bus.on('tick', async function onTick() { try { for await (const each of it) ; } catch {} });
    };`);
  let ofTick: unknown = 'not called';
  const ticked = new Promise<void>((resolve) =>
    setTimeout(() => {
      bus.emit('tick');
      ofTick = getCurrentRecording();
      resolve();
    }, 5),
  );
  const { flow } = await record(async () => {
    listen?.(bus, broken);
    await ticked;
  });
  expect(stepNamed(flow, 'onTick').parentStepId).toBe(stepNamed(flow, 'listen').stepId);
  expect(ofTick).toBeUndefined();
});

test.each(['o.work', 'o.work = 1', '[...o]', "o + ''", '+o'])(
  'work that starts in %s in a function without calls is below this function, not its caller',
  async (expression) => {
    const { run } = traced(`
      function start(o) { ${expression}; }
      exports.run = function run(o) { start(o); };`);
    const begun: Promise<string>[] = [];
    const begin = () => begun.push(libraryWork('work'));
    const o = {
      get work() {
        return begin();
      },
      set work(_: unknown) {
        begin();
      },
      *[Symbol.iterator]() {
        yield begin();
      },
      toString: () => String(begin()),
      valueOf: begin,
    };
    const { flow } = await record(() => {
      run?.(o);
      return Promise.all(begun);
    });
    expect(stepNamed(flow, 'work').parentStepId).toBe(stepNamed(flow, 'start').stepId);
  },
);
