import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { App } from './harness/app.ts';

/** Plan of one call. The app executes the plan, and reports the order in which the planned calls started. */
interface Plan {
  readonly id: number;
  readonly how: string;
  readonly waits: readonly number[];
  readonly calls: readonly Plan[];
  readonly fails: boolean;
  readonly passesOn: boolean;
}

const ways = ['all', 'race', 'any', 'allSettled', 'inTurn'];
const requests = 200;

/** Returns a function that returns pseudorandom numbers below 1, the same on each run (Marsaglia's xorshift). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function randomPlan(random: () => number, ids: { last: number }, depth = 3): Plan {
  const below = (limit: number) => Math.floor(random() * limit);
  const id = ++ids.last;
  const count = depth === 0 ? 0 : below(4);
  return {
    id,
    how: ways[below(ways.length)] ?? 'all',
    waits: Array.from({ length: below(3) }, () => below(4)),
    calls: Array.from({ length: count }, () => randomPlan(random, ids, depth - 1)),
    fails: random() < 0.2,
    passesOn: random() < 0.5,
  };
}

function planTree({ id, calls }: Plan): CallTree {
  return [id, ...calls.map(planTree)];
}

function readNumber({ inputs }: PostedStep): number {
  if (typeof inputs !== 'object' || inputs === null || !('id' in inputs))
    throw new Error('a call without its id');
  return Number(inputs.id);
}

/** The number of a call, followed by the trees of its child calls. */
type CallTree = readonly [id: number, ...below: CallTree[]];

/**
 * Returns the calls of a trace with their child calls, sorted by number, because deferred siblings can start in any order. Leaves out the
 * callbacks between calls.
 */
function callTree(trace: PostedTrace, parent: string | null): CallTree[] {
  return trace.flow
    .filter(({ parentStepId }) => parentStepId === parent)
    .flatMap((step): CallTree[] => {
      const below = callTree(trace, step.stepId);
      return step.stepName === 'carryOut' ? [[readNumber(step), ...below]] : below;
    })
    .sort(([a], [b]) => a - b);
}

test.each(
  pickRows(
    [
      ['Express', 'express.js'],
      ['Fastify', 'fastify.js'],
      ['Koa', 'koa.js'],
      ['Hono', 'hono.js'],
    ],
    { usually: 1 },
  ),
)('%s: each of 200 concurrent requests has exactly its own steps', async (_name, script) => {
  const collector = new Collector();
  const app = new App(`frameworks/${script}`, { collector: await collector.start() });
  const url = await app.ready();
  const random = randomFrom(20_261_121);
  const plans = Array.from({ length: requests }, () => randomPlan(random, { last: 0 }));
  expect(new Set(plans.map(({ how }) => how)).size).toBe(ways.length);
  const done = await Promise.all(
    plans.map(async (plan, index): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'x-tag': `tag${index}` };
      const response = await fetch(`${url}/plan`, { method: 'POST', headers, body: JSON.stringify(plan) });
      return response.json();
    }),
  );
  const traces = await collector.awaitTraces('/plan', requests);
  expect(traces.length).toBe(requests);
  const byTag = new Map(traces.map((trace) => [trace.request.headers?.['x-tag'], trace]));
  expect(byTag.size).toBe(requests);
  for (const [index, plan] of plans.entries()) {
    const trace = byTag.get(`tag${index}`);
    if (trace === undefined) throw new Error(`no trace of request ${index}`);
    const calls = trace.flow.filter(({ stepName }) => stepName === 'carryOut');
    expect(calls.map(readNumber)).toEqual(done[index]);
    expect(callTree(trace, null)).toEqual([planTree(plan)]);
    for (const { inputs } of calls) expect(inputs).toMatchObject({ tag: `tag${index}` });
  }
  await app.stop();
  await collector.stop();
});
