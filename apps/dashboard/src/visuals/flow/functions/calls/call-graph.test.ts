import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepForest } from '../../../steps/analysis/step-forest.ts';
import { aForest, aStep, ran } from '../../../steps/step.fixture.ts';
import { buildCallGraph } from './call-graph.ts';
import { describeCalls, describeFunction, findTellingCall } from './function-words.ts';

const buildForest = (...flow: Step[]): StepForest => aForest(flow);
const step = (id: string, parentStepId: string | null, durationMs: number, more: Partial<Step> = {}): Step =>
  aStep(id, { parentStepId, ...ran(0, durationMs), ...more });

const named = (forest: StepForest, name: string) =>
  buildCallGraph(forest).functions.find(({ first }) => first.step.stepName === name);

describe('the graph of functions', () => {
  it('has one node for all calls of a function, with the total number, time and failures of the calls', () => {
    const forest = buildForest(
      step('checkout', null, 50),
      step('taxFor1', 'checkout', 10),
      step('taxFor2', 'checkout', 30, { error: { message: 'no rate' } }),
    );
    expect(named(forest, 'taxFor')).toMatchObject({ calls: 2, totalMs: 40, selfMs: 40, thrown: 1, level: 1 });
    const { edges } = buildCallGraph(forest);
    expect(edges).toMatchObject([{ calls: 2, totalMs: 40, isLoop: false }]);
  });

  it('counts all calls of a call aggregate', () => {
    const repeat = { count: 500, minMs: 0, sumMs: 40, maxMs: 1, errors: 3 };
    const forest = buildForest(step('loop', null, 50), step('turn', 'loop', 40, { repeat }));
    expect(named(forest, 'turn')).toMatchObject({ calls: 500, thrown: 3 });
    expect(buildCallGraph(forest).edges[0]?.calls).toBe(500);
  });

  it('separates functions with the same name in two files', () => {
    const { functions } = buildCallGraph(
      buildForest(step('load1', null, 1, { filePath: 'a.ts' }), step('load2', null, 1, { filePath: 'b.ts' })),
    );
    expect(functions).toHaveLength(2);
  });

  it('merges queries and requests that differ only in their ids', () => {
    const http = (id: string, stepName: string) => step(id, null, 1, { stepType: 'http', stepName });
    const { functions } = buildCallGraph(
      buildForest(
        http('a', 'GET stock.example/items/1'),
        http('b', 'GET stock.example/items/22'),
        http('c', 'GET stock.example/items/0b5cbb7a-1b8e-4b0f-9a51-2f6a3f6d2b11?x=1'),
        http('d', 'GET stock.example/prices/1'),
      ),
    );
    expect(functions.map((called) => describeFunction(called).name)).toEqual([
      'GET stock.example/items/:id',
      'GET stock.example/prices/1',
    ]);
  });

  it('marks a recursive function and counts its time once', () => {
    const forest = buildForest(
      step('walk1', null, 30),
      step('walk2', 'walk1', 20),
      step('walk3', 'walk2', 10),
    );
    expect(named(forest, 'walk')).toMatchObject({ calls: 3, totalMs: 30, selfMs: 30, recursive: 2 });
    expect(buildCallGraph(forest).callees.size).toBe(0);
  });

  it('marks a call back to an earlier caller as a loop and draws no cycle', () => {
    const forest = buildForest(step('a1', null, 9), step('b1', 'a1', 8), step('a2', 'b1', 7));
    const graph = buildCallGraph(forest);
    expect(graph.edges.map(({ isLoop }) => isLoop)).toEqual([false, true]);
    expect(named(forest, 'a')?.recursive).toBe(1);
  });

  it('describes a function in one sentence', () => {
    const calls = Array.from({ length: 12 }, (_, index) =>
      step(`taxFor${index}`, null, index === 3 ? 7 : 3, index === 5 ? { error: { message: 'x' } } : {}),
    );
    const called = named(buildForest(...calls), 'taxFor');
    expect(called && describeFunction(called).sentence).toBe('taxFor, 12 calls, 40 ms, 1 failed');
    expect(called && findTellingCall(called).step.stepId).toBe('taxFor5');
  });

  it('describes the callers and callees of a function with their calls and times, the longest time first', () => {
    const forest = buildForest(
      step('checkout', null, 50),
      step('price', 'checkout', 20),
      step('refund', null, 9),
      step('taxFor1', 'price', 3),
      step('taxFor2', 'price', 4),
      step('taxFor3', 'refund', 8),
      ...Array.from({ length: 7 }, (_, at) => step(`rate${at}x`, 'taxFor1', 1)),
    );
    const describeNamed = (name: string) => {
      const called = named(forest, name);
      return called && describeCalls(called, buildCallGraph(forest));
    };
    expect(describeNamed('checkout')).toBe('Calls price (1 call, 20 ms).');
    expect(describeNamed('taxFor')).toBe(
      'Called by refund (1 call, 8.0 ms), price (2 calls, 7.0 ms). Calls rate0x (1 call, 1.0 ms), rate1x (1 call, 1.0 ms), rate2x (1 call, 1.0 ms), rate3x (1 call, 1.0 ms), rate4x (1 call, 1.0 ms), 2 more.',
    );
    expect(describeNamed('rate6x')).toBe('Called by taxFor (1 call, 1.0 ms).');
  });

  it('is empty without steps', () => {
    expect(buildCallGraph(buildForest())).toMatchObject({ functions: [], edges: [] });
  });

  it('is built for steps 20,000 levels deep', () => {
    const flow = Array.from({ length: 20_000 }, (_, index) =>
      step(`s${index}x`, index === 0 ? null : `s${index - 1}x`, 1, { stepName: `f${index % 3000}` }),
    );
    expect(buildCallGraph(buildForest(...flow)).functions).toHaveLength(3000);
  });
});

interface Call {
  /** The index of the caller, which is an earlier call; undefined without a caller. */
  readonly parent: number | undefined;
  readonly start: number;
  readonly duration: number;
  readonly name: string;
  readonly count: number;
  readonly failed: boolean;
}

const flows: fc.Arbitrary<readonly Call[]> = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(), { nil: undefined }),
      start: fc.nat({ max: 60 }),
      duration: fc.nat({ max: 30 }),
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      count: fc.constantFrom(1, 1, 1, 4),
      failed: fc.boolean(),
    }),
    { maxLength: 30, size: 'max' },
  )
  .map((calls) =>
    calls.map((call, index) => ({
      ...call,
      parent: call.parent === undefined || index === 0 ? undefined : call.parent % index,
    })),
  );

const toForest = (flow: readonly Call[]) =>
  buildForest(
    ...flow.map(({ parent, start, duration, name, count, failed }, index) =>
      aStep(`s${index}x`, {
        parentStepId: parent === undefined ? null : `s${parent}x`,
        ...ran(start, duration),
        stepName: name,
        ...(count > 1 ? { repeat: { count, minMs: 0, sumMs: duration, maxMs: duration } } : {}),
        error: failed ? { message: 'x' } : null,
      }),
    ),
  );

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

describe('for any steps, the graph of functions', () => {
  it('has for each name the same totals as a slow reference computation', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const isWithin = (name: string, at: number | undefined): boolean =>
          at !== undefined && (flow[at]?.name === name || isWithin(name, flow[at]?.parent));
        const expected = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => {
          const own = flow.filter((call) => call.name === name);
          if (own.length === 0) return [];
          const outermost = own.filter(({ parent }) => !isWithin(name, parent));
          return [
            {
              name,
              calls: sum(own.map(({ count }) => count)),
              totalMs: sum(outermost.map(({ duration }) => duration)),
              thrown: own.filter(({ failed }) => failed).length,
              longestMs: Math.max(...own.map(({ duration }) => duration)),
              steps: own.map((call) => `s${flow.indexOf(call)}x`).toSorted(),
            },
          ];
        });
        const { functions, byStep } = buildCallGraph(toForest(flow));
        const found = functions.map(({ first, calls, totalMs, thrown, longest, nodes }) => ({
          ...{ name: first.step.stepName, calls, totalMs, thrown },
          longestMs: longest.step.duration,
          steps: nodes.map(({ key }) => key).toSorted(),
        }));
        expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected);
        for (const { nodes } of functions)
          for (const node of nodes) expect(byStep.get(node)?.nodes).toBe(nodes);
      }),
      { numRuns: 60 },
    );
  });

  it('has an edge for each pair of caller and callee names, with the number of calls between them', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const expected = new Map<string, { calls: number; totalMs: number }>();
        for (const { parent, name, count, duration } of flow) {
          if (parent === undefined) continue;
          const id = `${flow[parent]?.name} ${name}`;
          const { calls, totalMs } = expected.get(id) ?? { calls: 0, totalMs: 0 };
          expected.set(id, { calls: calls + count, totalMs: totalMs + duration });
        }
        const { edges, byId } = buildCallGraph(toForest(flow));
        const writeName = (id: string) => byId.get(id)?.first.step.stepName;
        const found = edges.map(({ caller, callee, calls, totalMs }) => [
          `${writeName(caller)} ${writeName(callee)}`,
          { calls, totalMs },
        ]);
        expect(found).toHaveLength(expected.size);
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it('has no cycle among the drawn edges', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const { functions, callees } = buildCallGraph(toForest(flow));
        const above = new Set<string>();
        const done = new Set<string>();
        const visit = (id: string) => {
          expect(above.has(id)).toBe(false);
          if (done.has(id)) return;
          above.add(id);
          for (const { callee } of callees.get(id) ?? []) visit(callee);
          above.delete(id);
          done.add(id);
        };
        for (const { id } of functions) visit(id);
      }),
    );
  });
});
