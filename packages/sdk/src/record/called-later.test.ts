import { EventEmitter } from 'node:events';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outline, type PlainStep, record, traced } from '../../test/traced.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';

/** Calls functions from a loop of its own, in an order that the caller does not know, as schedulers and pools of libraries do. */
class Loop {
  readonly jobs: (() => unknown)[] = [];
  /** Adds a job. The loop runs in the context in which the first job was added. */
  readonly start = (job: () => unknown): void => {
    if (this.jobs.push(job) === 1) setTimeout(this.run, 1);
  };
  readonly add = (job: () => unknown): Promise<unknown> =>
    new Promise((done) => {
      this.jobs.push(() => Promise.resolve(job()).then(done));
    });

  readonly run = async (): Promise<void> => {
    for (const job of this.jobs.splice(0)) await job();
  };
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const ask = async (question: () => unknown): Promise<unknown> => {
  await sleep(1);
  return question();
};

/** A library that calls its hooks in the middle of its own work, as an ORM does. */
class Library {
  readonly hooks: (() => unknown)[] = [];
  readonly on = (hook: () => unknown): void => void this.hooks.push(hook);
  readonly query = async (): Promise<void> => {
    for (const hook of this.hooks) await ask(hook);
  };
  /** Passes itself to a function that adds hooks, as a pipeline passes its errors, and calls the hooks. */
  readonly run = async (setUp: (library: this) => void): Promise<void> => {
    setUp(this);
    await this.query();
  };
  readonly queryBack = (done: () => void): void => void this.query().then(done);
}

/** A connection calls all functions in the async context in which it was opened. */
class Connection {
  readonly #waiting: (() => void)[] = [];
  readonly #timer = setInterval(() => this.#waiting.shift()?.(), 1);
  readonly send = (done: () => void): void => void this.#waiting.push(done);
  readonly close = (): void => clearInterval(this.#timer);
}

const bus = new EventEmitter();

describe('a function that a library calls later', () => {
  test.each([
    [
      'is below the step that called the library, if the function is defined outside of this step',
      'function hook() { s() } function s() {} async function find() { await ask(hook) } async function main() { await find() }',
      'main\n  find\n    hook\n      s',
    ],
    [
      'is below the step that called the library, if an outer step passed the function',
      'function s() {} function find(hook) { return ask(hook) } async function main() { await find(() => s()) }',
      'main\n  find\n    find() callback\n      s',
    ],
    [
      'is below the step that waits for the library, and not below an earlier step that created the function',
      `async function setUp() { lib.on(function hook() { s() }) } function s() {} async function find() { await lib.query() }
       async function main() { await setUp(); await find(); await lib.query() }`,
      'main\n  setUp\n  find\n    hook\n      s\n  hook\n    s',
    ],
    [
      'is below the step that waits for the library, if the promise whose setup created the function has settled',
      `async function setUp() { await new Promise((done) => { lib.on(function hook() {}); done() }) }
       async function main() { await setUp(); await lib.query() }`,
      'main\n  setUp\n    new Promise() callback\n  hook',
    ],
    [
      'is below the step that waits for the library, even if the function that created it returned nothing to wait for',
      `function setUp() { lib.on(function hook() { s() }) } function s() {}
       async function main() { setUp(); await lib.query() }`,
      'main\n  setUp\n  hook\n    s',
    ],
    [
      'is below the step that waits for the library, if a third step created the function at that time',
      `let started; const prepare = () => started ??= open();
       async function open() { await sleep(1); lib.on(function hook() {}) } async function first() { await prepare(); await sleep(30) }
       async function second() { await prepare(); await lib.query() } async function main() { await Promise.all([first(), second()]) }`,
      'main\n  first\n    prepare\n      open\n  second\n    prepare\n    hook',
    ],
    [
      'is below the step that called the library with a callback and has ended, if the creator ended before',
      `function setUp() { lib.on(function hook() {}) } function find(done) { lib.queryBack(done) }
       function main() { setUp(); return new Promise(find) }`,
      'main\n  setUp\n  find\n    hook',
    ],
    [
      'is below the step that passed it to the library, if another function returned it',
      `function answer() { return function answered() {} } function find() { const answered = answer(); setTimeout(answered, 1) }
       async function main() { find(); await sleep(9) }`,
      'main\n  find\n    answer\n    answered',
    ],
    [
      'is below the step that created it and waits for it, if the library calls it in the context of another step',
      `async function first() { await ask(loop.run) } async function second() { await loop.add(function job() {}) }
       async function main() { const done = first(); await second(); await done }`,
      'main\n  first\n  second\n    job',
    ],
    [
      'is below the function that created it, if its step waits for the callback of a connection that another step opened',
      `function select() { return new Promise(function run(done) { connection.send(function received() { done() }) }) }
       async function main() { connection = new Connection(); await select(); connection.close() } let connection`,
      'main\n  select\n    run\n      received',
    ],
    [
      'is below the function that was passed to `new Promise` and created it, even if the outer function had called the library before',
      `function read() { setTimeout(bus.emit.bind(bus, 'end'), 1); return new Promise((done) => { bus.once('end', function ended() { done() }) }) }
       async function main() { await read() }`,
      'main\n  read\n    new Promise() callback\n      ended',
    ],
    [
      'is below the callback that created it, if the function that waits for the library passed this callback to the library',
      `function retry() { return lib.run((errors) => { errors.on(function failed() {}) }) } async function main() { await retry() }`,
      'main\n  retry\n    lib.run() callback\n      failed',
    ],
    [
      'is below the function that passed it to a library’s queue, if neither this function nor the queue’s first caller waits',
      `function first() { loop.start(function one() {}) } function second() { loop.start(function two() {}) }
       async function main() { first(); second(); await sleep(20) }`,
      'main\n  first\n    one\n  second\n    two',
    ],
    [
      'is below the step that emits the event, if it is a listener that was added before the request',
      `function heard() { s() } bus.on('x', heard); function s() {} function fire() { bus.emit('x') }
       async function find() { await ask(bus.emit.bind(bus, 'x')) } async function main() { fire(); await find(); await null; fire() }`,
      `main\n${['fire', 'find', 'fire'].map((name) => `  ${name}\n    heard\n      s`).join('\n')}`,
    ],
  ])('%s', async (_, source, expected) => {
    const globals = { ask, sleep, setTimeout, Connection, lib: new Library(), loop: new Loop(), bus };
    const { main } = traced(`${source}\nexports.main = main`, globals);
    const { flow, thrown } = await record(main);
    expect(thrown).toBe(undefined);
    expect(outline(flow)).toBe(expected);
  });

  test('stays in its own request, even if the library works for another request at that time', async () => {
    const loop = new Loop();
    const { main } = traced(
      `function note(name) { return name }
       async function later(name) { note(name); await null; note(name + ' again') }
       exports.main = (name) => loop.add(() => later(name))`,
      { loop },
    );
    const recordings = ['first', 'second', 'third'].map((name) => ({
      name,
      done: record(() => main?.(name)),
    }));
    const runs = runRecording(new Recording({ capture: 'all', limits: defaultLimits }), () => loop.run());
    for (const { name, done } of recordings) {
      const { flow } = await done;
      expect(outline(flow)).toBe('main\n  loop.add() callback\n    later\n      note\n      note');
      const values = JSON.stringify(flow.map(({ inputs }) => inputs));
      expect(values.match(/first|second|third/g)?.every((word) => word === name)).toBe(true);
    }
    await runs;
  });

  test('is not attributed to any step if the request has handlers and the caller is unknown', async () => {
    const { main, hook } = traced('exports.main = function main() {}\nexports.hook = function hook() {}');
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    runRecording(recording, () => {
      recording.hasHandlers = true;
      main?.();
      const handler = recording.open({ name: 'handler', type: 'handler', parent: null });
      recording.within(handler, () => hook?.());
      hook?.();
    });
    const { flow } = recording.finish();
    expect(flow.map(({ stepName, metadata }) => [stepName, metadata?.notAttributed])).toEqual([
      ['main', true],
      ['handler', undefined],
      ['hook', undefined],
      ['hook', true],
    ]);
  });
});

/** A call as plain data. `how` is the name of the called function of the program below. */
interface Plan {
  readonly id: number;
  readonly how: string;
  readonly calls: readonly Plan[];
}

/** Each function adds a hook, calls the library, and waits for everything that it started. The library passes `plan.id` to each hook. */
const source = `
function setUp(plan, lib) { lib.on(function hook(caller) {}) }
async function setUpLater(plan, lib) { await lib.query(plan.id); lib.on(function hook(caller) {}) }
function make() { return function hook(caller) {} }
async function inTurn(plan, lib, run) {
  lib.on(make());
  for (const inner of plan.calls) { await run(inner); await lib.query(plan.id); }
}
function returned(plan, lib, run) {
  lib.on(function hook(caller) {});
  return plan.calls.length > 0 ? run(plan.calls[0]) : lib.query(plan.id);
}
function passed(plan, lib) {
  return new Promise(function executor(done) { lib.on(function hook(caller) {}); lib.queryBack(plan.id, done); });
}
async function main(plan, lib, run) { await run(plan); await lib.query(plan.id); }
Object.assign(exports, { setUp, setUpLater, inTurn, returned, passed, main });`;

const { plan: plans } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    id: fc.integer({ min: 1 }),
    how: fc.constantFrom('setUp', 'setUpLater', 'inTurn', 'inTurn', 'returned', 'passed'),
    calls: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('plan'), { maxLength: 3 })),
  }),
}));

/** Returns the id of the innermost call around a step that has a plan. */
function findCaller(flow: readonly PlainStep[], { parentStepId }: PlainStep): unknown {
  const parent = flow.find(({ stepId }) => stepId === parentStepId);
  if (parent === undefined) return undefined;
  return Object(parent.inputs).plan?.id ?? findCaller(flow, parent);
}

test('each hook is below the function that waits for the library, whatever function created the hook', async () => {
  const functions = traced(source);
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const hooks: ((caller: number) => unknown)[] = [];
      const query = async (caller: number) => {
        for (const hook of hooks) await ask(() => hook(caller));
      };
      const lib = {
        query,
        queryBack: (caller: number, done: () => void) => void query(caller).then(done),
        on: (hook: () => unknown) => {
          hooks[hooks.length % 3] = hook;
        },
      };
      const run = ({ how, ...rest }: Plan): unknown => functions[how]?.(rest, lib, run);
      const { flow, thrown } = await record(() => functions.main?.({ ...plan, id: 0 }, lib, run));
      expect(thrown).toBeUndefined();
      for (const step of flow.filter(({ stepName }) => stepName === 'hook')) {
        expect(findCaller(flow, step)).toBe(Object(step.inputs).caller);
        const parent = flow.find(({ stepId }) => stepId === step.parentStepId);
        if (parent?.stepName === 'executor') continue;
        expect(parent?.startMicros).toBeLessThanOrEqual(step.startMicros);
        expect(parent?.endMicros).toBeGreaterThanOrEqual(step.endMicros);
      }
    }),
    { numRuns: repetitions({ usually: 60, thoroughly: 1000 }) },
  );
});
