import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outline, record, stepNamed, traced } from '../../test/traced.ts';
import { defaultLimits } from './capture/limits.ts';
import type { RecordedStep } from './recorded-step.ts';

const globals = { setTimeout, setImmediate };
const limits = (calls: number) => ({ ...defaultLimits, calls });

/** Returns the aggregate among the steps of this name. */
function aggregateNamed(flow: readonly RecordedStep[], name: string): RecordedStep {
  const aggregates = flow.filter(({ stepName, repeat }) => stepName === name && repeat !== undefined);
  const [aggregate] = aggregates;
  if (aggregate === undefined || aggregates.length > 1)
    throw new Error(`${aggregates.length} aggregates named ${name}`);
  return aggregate;
}

describe('a function called many times', () => {
  test('is shown with the values of its first 20 calls; later calls are only counted', async () => {
    const { main } = traced(
      'function price(n) { return n * 2 } exports.main = function main() { let sum = 0; for (let i = 0; i < 1000; i++) sum += price(i); return sum }',
    );
    const { flow, result, dropped } = await record(main);
    expect(result).toBe(999_000);
    expect(flow).toHaveLength(1 + 20 + 1);
    expect(flow[20]).toMatchObject({ stepName: 'price', inputs: { n: 19 }, outputs: 38 });
    expect(flow[20]).not.toHaveProperty('repeat');
    const aggregate = aggregateNamed(flow, 'price');
    expect(aggregate).toMatchObject({ functionName: 'price', parentStepId: '1', repeat: { count: 980 } });
    expect(aggregate).not.toHaveProperty('inputs');
    const { minMs = -1, sumMs = -1, maxMs = -1 } = aggregate.repeat ?? {};
    expect(minMs).toBeGreaterThanOrEqual(0);
    expect(maxMs).toBeGreaterThanOrEqual(minMs);
    expect(sumMs).toBeGreaterThanOrEqual(maxMs);
    expect(sumMs).toBeLessThanOrEqual(980 * maxMs + 0.001);
    expect(aggregate.durationMs).toBe(sumMs);
    expect(aggregate.endMicros - aggregate.startMicros).toBeGreaterThanOrEqual(Math.floor(sumMs * 1000) - 1);
    expect(dropped).toEqual({ steps: 0, values: 0, bytes: 0 });
  });

  test('is counted separately for each caller', async () => {
    const { main } = traced(
      'function f() {} function a() { f(); f(); f() } function b() { f() } exports.main = function main() { a(); b(); a() }',
    );
    const { flow } = await record(main, 'all', limits(2));
    expect(outline(flow)).toBe('main\n  a\n    f\n    f\n    f\n  b\n    f\n  a\n    f\n    f\n    f');
    expect(flow.map(({ repeat }) => repeat?.count ?? 0)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  });

  test('is counted even if its caller calls thirty functions, or if it has no caller', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `function f${index}() {}`).join('\n');
    const names = Array.from({ length: 30 }, (_, index) => `f${index}()`).join(';');
    const { all } = traced(`${many}\nexports.all = (() => { for (let i = 0; i < 50; i++) { ${names} } })`);
    const { flow } = await record(all, 'structure', limits(1));
    expect(flow).toHaveLength(1 + 60);
    expect(flow.filter(({ repeat }) => repeat?.count === 49)).toHaveLength(30);
    const { f } = traced('exports.f = function f() {}');
    const top = await record(() => Array.from({ length: 9 }, () => f?.()), 'all', limits(3));
    expect(top.flow.map(({ repeat }) => repeat?.count)).toEqual([undefined, undefined, undefined, 6]);
  });

  test('makes calls of its own, which are counted below the aggregate of the function', async () => {
    const { main } = traced(
      'function inner() {} function work() { inner(); inner() } exports.main = function main() { for (let i = 0; i < 100; i++) work() }',
    );
    const { flow } = await record(main, 'all', limits(3));
    expect(aggregateNamed(flow, 'work').repeat?.count).toBe(97);
    const below = flow.filter(({ parentStepId }) => parentStepId === aggregateNamed(flow, 'work').stepId);
    expect(below.map(({ repeat }) => repeat?.count)).toEqual([undefined, undefined, undefined, 191]);
  });

  test('is still counted after the request has reached its maximum number of steps', async () => {
    const { main } = traced(
      'function f() {} function g() {} exports.main = function main() { for (let i = 0; i < 100; i++) f(); g() }',
    );
    const { flow, dropped } = await record(main, 'all', { ...limits(2), steps: 4 });
    expect(flow.map(({ repeat }) => repeat?.count)).toEqual([undefined, undefined, undefined, 98]);
    expect(dropped.steps).toBe(1);
  });
});

describe('a counted call that fails', () => {
  const failing = `
function inner(n) { if (n === 50) throw new Error('fifty'); return n }
function work(n) { const twice = n * 2; return inner(n) + twice }
exports.main = function main() { for (let i = 0; i < 100; i++) { try { work(i) } catch {} } }`;

  test('is a separate step with its values, above the step in which the error began', async () => {
    const { flow } = await record(traced(failing).main, 'all', limits(5));
    const failed = flow.filter(({ error }) => error !== undefined);
    expect(failed).toMatchObject([
      {
        stepName: 'work',
        parentStepId: '1',
        error: { message: 'fifty' },
        metadata: { rethrown: true },
        variables: { capturedAt: 'throw', parameters: { n: 50 }, localVariables: { twice: 100 } },
      },
      { stepName: 'inner', error: { message: 'fifty' }, variables: { parameters: { n: 50 } } },
    ]);
    expect(failed[1]?.parentStepId).toBe(failed[0]?.stepId);
    expect(aggregateNamed(flow, 'work').repeat).toMatchObject({ count: 94 });
    expect(aggregateNamed(flow, 'work').repeat).not.toHaveProperty('errors');
    const starts = flow.map(({ startMicros }) => startMicros);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test('is a step with its own calls below it; if all counted calls became steps, no aggregate is left', async () => {
    const { main } = traced(
      `function ask(i) { if (i < 3) return; throw new Error('no ' + i) } function prepare(i) {} function check(i) {}
async function attempt(i) { prepare(i); await new Promise((r) => setTimeout(r, 8 - i)); check(i); ask(i) }
exports.main = async function main(together) {
  const all = [];
  for (let i = 0; i < 6; i++) { const one = attempt(i).catch(() => {}); if (together) all.push(one); else await one }
  await Promise.all(all);
}`,
      globals,
    );
    for (const together of [false, true]) {
      const { flow } = await record(() => main?.(together), 'all', limits(3));
      expect(flow.every(({ repeat }) => repeat === undefined || repeat.count > 0)).toBe(true);
      const attempts = flow.filter(({ stepName }) => stepName === 'attempt');
      expect(attempts).toHaveLength(6);
      const argumentsBelow = (attempt: RecordedStep, name: string) =>
        flow
          .filter(({ stepName, parentStepId }) => stepName === name && parentStepId === attempt.stepId)
          .map(readParameters);
      for (const attempt of attempts) {
        const { i } = readParameters(attempt);
        expect(argumentsBelow(attempt, 'prepare')).toEqual([{ i }]);
        expect(argumentsBelow(attempt, 'check')).toEqual([{ i }]);
        expect(argumentsBelow(attempt, 'ask')).toEqual([{ i }]);
        expect(attempt.error?.message).toBe(i < 3 ? undefined : `no ${i}`);
      }
    }
  });

  test('becomes no step after ten calls have failed; the aggregate shows the number of further failures', async () => {
    const { main } = traced(
      "function f(i) { throw new Error('no ' + i) } exports.main = function main() { for (let i = 0; i < 1000; i++) { try { f(i) } catch {} } }",
    );
    const { flow } = await record(main, 'all', limits(5));
    expect(flow).toHaveLength(1 + 5 + 10 + 1);
    expect(flow.every(({ stepName, error }) => stepName === 'main' || error !== undefined)).toBe(true);
    expect(aggregateNamed(flow, 'f')).toMatchObject({
      repeat: { count: 985, errors: 985 },
      error: { message: 'no 15' },
    });
  });

  test('is counted in the aggregate after the request has reached its maximum number of steps', async () => {
    const { main } = traced(failing);
    const { flow } = await record(main, 'all', { ...limits(1), steps: 5 });
    expect(aggregateNamed(flow, 'work')).toMatchObject({
      error: { message: 'fifty' },
      repeat: { count: 99, errors: 1 },
    });
  });
});

describe('counted calls that overlap', () => {
  test('are shown with their own calls below their aggregate, and never below each other', async () => {
    const { main } = traced(
      `function s() {} async function one(i) { s(); await new Promise((r) => setTimeout(r, i % 3)); s() }
exports.main = async function main() { await Promise.all(Array.from({ length: 60 }, (_, i) => one(i))); s() }`,
      globals,
    );
    const { flow } = await record(main, 'all', limits(2));
    const callback = aggregateNamed(flow, 'Array.from() callback');
    expect(callback.repeat?.count).toBe(58);
    expect(totals(flow).get('main > Array.from() callback > one > s')?.calls).toBe(120);
    expect(totals(flow).get('main > s')?.calls).toBe(1);
    expect(flow.some(({ metadata }) => metadata?.unfinished === true)).toBe(false);
  });

  test('are counted, and are marked if they have not ended when the request ends', async () => {
    const { main } = traced(
      'async function f(gate) { await gate; after() } function after() {} exports.main = function main(gate) { for (let i = 0; i < 9; i++) f(gate) }',
    );
    let open = (_: null): void => {};
    const gate = new Promise((resolve) => {
      open = resolve;
    });
    const { flow } = await record(() => main?.(gate), 'all', limits(3));
    expect(aggregateNamed(flow, 'f')).toMatchObject({
      repeat: { count: 6, minMs: 0, sumMs: 0, maxMs: 0 },
      metadata: { unfinished: true },
    });
    // Later calls happen after the recording is finished.
    open(null);
    await new Promise(setImmediate);
  });

  test('are found as the callers of timers and closures that run after the calls have ended', async () => {
    const { main } = traced(
      'function late() {} function f() { setTimeout(() => late(), 1) } exports.main = async function main() { for (let i = 0; i < 9; i++) f(); await new Promise((r) => setTimeout(r, 20)) }',
      globals,
    );
    const { flow } = await record(main, 'all', limits(2));
    expect(totals(flow).get('main > f > setTimeout() callback > late')?.calls).toBe(9);
  });
});

/** Reads the parameters of a step: a counted call that failed has them only among its variables. */
function readParameters({ inputs, variables }: RecordedStep): { readonly i: number } {
  const { parameters } = (variables ?? {}) as { readonly parameters?: unknown };
  return (inputs ?? parameters) as { readonly i: number };
}

/** Returns the number of calls and of failed calls for each call path. */
function totals(flow: readonly RecordedStep[]): Map<string, { calls: number; errors: number }> {
  const byId = new Map(flow.map((step) => [step.stepId, step]));
  const buildPath = ({ stepName, parentStepId }: RecordedStep): string => {
    const parent = parentStepId === null ? undefined : byId.get(parentStepId);
    return parent === undefined ? stepName : `${buildPath(parent)} > ${stepName}`;
  };
  const counts = new Map<string, { calls: number; errors: number }>();
  for (const step of flow) {
    const { calls, errors } = counts.get(buildPath(step)) ?? { calls: 0, errors: 0 };
    const own = step.repeat === undefined ? Number(step.error !== undefined) : (step.repeat.errors ?? 0);
    counts.set(buildPath(step), { calls: calls + (step.repeat?.count ?? 1), errors: errors + own });
  }
  return counts;
}

/** A call as plain data: how the call runs, which calls it makes, and if it fails. */
interface Plan {
  readonly kind: 'sync' | 'wait' | 'list' | 'stream' | 'early';
  readonly calls: readonly Plan[];
  readonly times: number;
  readonly fails: boolean;
}

const plans = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    kind: fc.constantFrom('sync', 'wait', 'list', 'stream', 'early'),
    calls: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('plan'), { minLength: 1, maxLength: 3 })),
    times: fc.integer({ min: 1, max: 4 }),
    fails: fc.boolean(),
  }),
})).plan;

const source = `
function end(plan) { if (plan.fails) throw new Error('planned') }
function sync(plan) { for (const inner of plan.calls) for (let i = 0; i < inner.times; i++) { try { start(inner) } catch {} } end(plan) }
async function wait(plan) {
  const begun = [];
  for (const inner of plan.calls) for (let i = 0; i < inner.times; i++) { try { begun.push(start(inner)) } catch {} if (i === 1) await new Promise((r) => setImmediate(r)) }
  await Promise.allSettled(begun); end(plan)
}
function* list(plan) { yield 1; for (const inner of plan.calls) for (let i = 0; i < inner.times; i++) { try { yield start(inner) } catch {} } end(plan) }
async function* stream(plan) { for (const inner of plan.calls) for (let i = 0; i < inner.times; i++) { try { yield await start(inner) } catch {} } end(plan) }
function* early(plan) { try { yield 1 } finally { for (const inner of plan.calls) for (let i = 0; i < inner.times; i++) { try { start(inner) } catch {} } } }
async function drain(plan) { for await (const x of stream(plan)); }
function start(plan) {
  switch (plan.kind) {
    case 'sync': return sync(plan);
    case 'wait': { const p = wait(plan); p.catch(() => {}); pending.push(p); return p }
    case 'list': return [...list(plan)];
    case 'stream': { const p = drain(plan); p.catch(() => {}); pending.push(p); return p }
    default: for (const x of early(plan)) break;
  }
}
let pending = [];
exports.main = async function main(plan) { pending = []; try { start(plan) } catch {} for (let i = 0; i < pending.length; i++) await Promise.allSettled(pending) }`;

/** Adds the calls and the failures of one planned call to `counts`, which has an entry for each call path. */
function countPlanned(
  plan: Plan,
  above: string,
  counts: Map<string, { calls: number; errors: number }>,
): void {
  const note = (path: string, fails: boolean) => {
    const { calls, errors } = counts.get(path) ?? { calls: 0, errors: 0 };
    counts.set(path, { calls: calls + 1, errors: errors + Number(fails) });
  };
  const start = `${above} > start`;
  const body = plan.kind === 'stream' ? `${start} > drain > stream` : `${start} > ${plan.kind}`;
  for (const inner of plan.calls) {
    for (let time = 0; time < inner.times; time += 1) {
      countPlanned(inner, body, counts);
      // After the second call of each inner plan, the function `wait` waits for a new promise.
      if (plan.kind === 'wait' && time === 1) note(`${body} > new Promise() callback`, false);
    }
  }
  // A generator that is left early does not reach the `throw` at its end.
  const fails = plan.fails && plan.kind !== 'early';
  if (plan.kind !== 'early') note(`${body} > end`, fails);
  note(body, fails);
  if (plan.kind === 'stream') note(`${start} > drain`, fails);
  // If `start` returns a promise that is rejected later, the call has failed, and the program's `p.catch(() => {})` runs.
  note(start, fails);
  if (fails && (plan.kind === 'wait' || plan.kind === 'stream')) note(`${start} > p.catch() callback`, false);
}

test('no call and no failure is lost or attributed to another function, whatever functions are called', async () => {
  const { main } = traced(source, globals);
  const run = (plan: Plan, calls: number) =>
    record(() => main?.(plan), 'structure', { ...limits(calls), steps: 100_000 });
  await fc.assert(
    fc.asyncProperty(plans, fc.integer({ min: 1, max: 3 }), async (plan, calls) => {
      const expected = new Map([['main', { calls: 1, errors: 0 }]]);
      countPlanned(plan, 'main', expected);
      for (const { flow } of [await run(plan, 100_000), await run(plan, calls)]) {
        expect(Object.fromEntries(totals(flow))).toEqual(Object.fromEntries(expected));
        expect(stepNamed(flow, 'main').metadata).toBeUndefined();
        expect(flow.filter(({ repeat }) => repeat?.count === 0)).toEqual([]);
      }
    }),
    { numRuns: 150, seed: 20_261_121 },
  );
});
