import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asTaken, type PlainStep, traced } from '../../test/traced.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';

/** A call as plain data. `how` is the name of the called function of the program below. */
interface Plan {
  readonly id: number;
  readonly how: string;
  readonly wait: number;
  readonly fails: boolean;
  readonly calls: readonly Plan[];
}

/**
 * Each function makes the planned calls in its own way, and notes with `within` which calls it waited for or ran synchronously. `run` calls
 * a function without a step. `work` takes some time.
 */
const source = `
function sync(plan, { run, within, work }) {
  work();
  for (const inner of plan.calls) if (!isThenable(run(inner))) within('sync', plan, inner);
  work();
  return plan.id;
}
async function inTurn(plan, { run, within, work, wait }) {
  await wait(plan.wait);
  for (const inner of plan.calls) { await run(inner); within('inTurn', plan, inner); }
  work();
  if (plan.fails) throw new Error('failed');
}
async function together(plan, { run, within, wait }) {
  await Promise.all(plan.calls.map((inner) => run(inner)));
  for (const inner of plan.calls) within('together', plan, inner);
  await wait(plan.wait);
}
function returned(plan, { run, within, work }) {
  const results = plan.calls.map((inner) => run(inner));
  for (const inner of plan.calls) within('returned', plan, inner);
  work();
  return Promise.all(results);
}
function passed(plan, { run, within, work }) {
  const [first, ...others] = plan.calls;
  const result = first && run(first);
  if (first) within('passed', plan, first);
  for (const inner of others) if (!isThenable(run(inner))) within('passed', plan, inner);
  work();
  return result;
}
function settled(plan, { work }) {
  work();
  return Promise.resolve(plan.id);
}
async function passedByAsync(plan, { run, within, work }) {
  const [first, ...others] = plan.calls;
  const result = first && run(first);
  if (first) within('passedByAsync', plan, first);
  for (const inner of others) if (!isThenable(run(inner))) within('passedByAsync', plan, inner);
  work();
  return result;
}
async function lazy(plan, { run, within, work }) {
  for (const inner of plan.calls) within('lazy', plan, inner);
  return { then: (resolve, reject) => Promise.all(plan.calls.map((inner) => run(inner))).then(resolve, reject) };
}
function each(plan, { run, within, work }) {
  for (const _ of yielded(plan, { run, within, work })) work();
  within('each', plan, plan, 'yielded');
}
function* yielded(plan, { run, within, work }) {
  for (const inner of plan.calls) {
    if (!isThenable(run(inner))) within('yielded', plan, inner);
    yield inner;
  }
}
async function eachLater(plan, { run, within, work, wait }) {
  for await (const _ of yieldedLater(plan, { run, within, work, wait })) await wait(plan.wait);
  within('eachLater', plan, plan, 'yieldedLater');
}
async function* yieldedLater(plan, { run, within, work, wait }) {
  for (const inner of plan.calls) {
    await run(inner);
    within('yieldedLater', plan, inner);
    yield inner;
    await wait(plan.wait);
  }
}
function counted(plan, { run, copy, work }) {
  for (let call = 0; call < 30; call++) { repeat(plan, call, { run, copy }); work(); }
}
function repeat(plan, call, { run, copy }) {
  if (makesCalls(call)) for (const inner of plan.calls) run(copy(inner));
}
async function countedLater(plan, { run, copy, wait }) {
  const calls = [];
  for (let call = 0; call < 30; call++) calls.push(repeatLater(plan, call, { run, copy, wait }));
  await Promise.all(calls);
}
async function repeatLater(plan, call, { run, copy, wait }) {
  if (makesCalls(call)) for (const inner of plan.calls) await run(copy(inner));
  await wait(plan.wait);
}
function detached(plan, { run }) {
  for (const inner of plan.calls) void run(inner);
}
// The calls from the twenty-first on are counted in an aggregate.
const makesCalls = (call) => call === 0 || call >= 28;
const isThenable = (value) => typeof value?.then === 'function';
Object.assign(exports, { sync, inTurn, together, returned, passed, settled, passedByAsync, lazy, each, eachLater, counted, countedLater, detached });`;

const HOWS = [
  ...['sync', 'inTurn', 'together', 'returned', 'passed', 'settled', 'passedByAsync', 'lazy', 'each'],
  ...['eachLater', 'counted', 'countedLater', 'detached'],
];

const plans: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    id: fc.constant(0),
    how: fc.constantFrom(...HOWS),
    wait: fc.nat(2),
    fails: fc.boolean(),
    calls: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('plan'), { minLength: 1, maxLength: 3 })),
  }),
})).plan;

/** Gives each plan of a request a unique id. */
function numbered(plan: Plan, counter: { next: number }): Plan {
  const id = ++counter.next;
  return { ...plan, id, calls: plan.calls.map((inner) => numbered(inner, counter)) };
}

const functions = traced(source, {});

/** Carries out the plan as a request. Returns its steps, and the noted pairs: a call, and an inner call that ran within it. */
async function carryOut(plan: Plan) {
  const recording = new Recording({
    capture: 'all',
    limits: { ...defaultLimits, steps: 100_000, requestBytes: 64 * 1024 * 1024 },
  });
  const pairs: [outer: string, inner: string][] = [];
  const pending: unknown[] = [];
  const counter = { next: 0 };
  const tools = {
    copy: (inner: Plan) => numbered(inner, counter),
    within: (outer: string, { id }: Plan, inner: Plan, how = inner.how) =>
      pairs.push([`${outer} ${id}`, `${how} ${inner.id}`]),
    run(inner: Plan): unknown {
      const result = functions[inner.how]?.(inner, tools);
      if (!(result instanceof Promise)) return result;
      const handled = result.catch(() => {});
      pending.push(handled);
      return inner.fails ? handled : result;
    },
    work() {
      const until = performance.now() + 0.03;
      while (performance.now() < until);
    },
    wait: (kind: number): unknown =>
      kind === 0 ? null : new Promise((go) => (kind === 1 ? setImmediate(go) : setTimeout(go, 1))),
  };
  await runRecording(recording, async () => tools.run(numbered(plan, counter)));
  for (const one of pending) await one;
  return { flow: recording.finish().flow.map(asTaken), pairs };
}

const isWithin = (inner: PlainStep, outer: PlainStep) =>
  inner.startMicros >= outer.startMicros && inner.endMicros <= outer.endMicros;

function describeTimes(
  { stepName, startMicros, endMicros }: PlainStep,
  first: PlainStep | undefined,
): string {
  const from = first?.startMicros ?? 0;
  return `${stepName} ${startMicros - from} to ${endMicros - from}`;
}

/** Finds calls that began before the call in which they ran, or ended after it. */
function findOutside({ flow, pairs }: Awaited<ReturnType<typeof carryOut>>): string[] {
  const byCall = new Map<string, PlainStep>();
  for (const step of flow) {
    const [, id] = /"plan":\{"id":(\d+)/.exec(JSON.stringify(step.inputs)) ?? [];
    if (id !== undefined) byCall.set(`${step.stepName} ${id}`, step);
  }
  const noted = pairs.flatMap(([outer, inner]): [PlainStep, PlainStep][] => {
    const [above, below] = [byCall.get(outer), byCall.get(inner)];
    return above === undefined || below === undefined ? [] : [[above, below]];
  });
  const byId = new Map(flow.map((step) => [step.stepId, step]));
  const shown = flow.flatMap((step): [PlainStep, PlainStep][] => {
    const parent = byId.get(step.parentStepId ?? '');
    if (parent === undefined || step.metadata?.detached === true) return [];
    return step.startMicros > parent.endMicros ? [] : [[parent, step]];
  });
  return [...noted, ...shown]
    .filter(([outer, inner]) => !isWithin(inner, outer) || inner.metadata?.detached === true)
    .map(([outer, inner]) => `${describeTimes(outer, flow[0])} > ${describeTimes(inner, flow[0])}`);
}

test('a call begins and ends within the call that waited for it, in each of several overlapping requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plans, { minLength: 5, maxLength: 5 }), async (requests) => {
      const runs = await Promise.all(requests.map(carryOut));
      for (const run of runs) expect(findOutside(run)).toEqual([]);
    }),
    { numRuns: 50, endOnFailure: true },
  );
});
