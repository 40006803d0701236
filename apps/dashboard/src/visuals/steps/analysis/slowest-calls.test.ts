import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWithoutPauses } from '../../work/work.ts';
import { aForest, aStep, ran } from '../step.fixture.ts';
import { listNodes } from './bundle-repeats.ts';
import { findSlowestCalls } from './slowest-calls.ts';
import { measureBusyTime, timeInsideWork } from './time-inside.ts';

/** Builds a step from its id, its caller's id, and its start and end in ms. The step's name is its id without the number. */
const step = (stepId: string, parentStepId: string | null, fromMs: number, toMs: number): Step =>
  aStep(stepId, { parentStepId, ...ran(fromMs, toMs - fromMs) });

const build = (...flow: Step[]) => aForest(flow);

/** Builds a handler that calls `name` `count` times in sequence, `eachMs` per call. */
function loop(name: string, count: number, eachMs: number): Step[] {
  return Array.from({ length: count }, (_, index) =>
    step(`${name}${index}`, 'handler', index * eachMs, (index + 1) * eachMs),
  );
}

describe('the entry with the most time', () => {
  it('is the single call that took the most time', () => {
    const forest = build(step('handler', null, 0, 10), step('load', 'handler', 1, 8));
    expect(findSlowestCalls(forest)).toMatchObject({ kind: 'step', key: 'load' });
  });

  it('is a bundle of calls of one function if their total time is longer than the time of any single call', () => {
    const flow = loop('query', 12, 10);
    const forest = build(step('handler', null, 0, 200), ...flow, step('render', 'handler', 130, 190));
    expect(findSlowestCalls(forest)).toMatchObject({ kind: 'bundle', key: '×query0', calls: 12 });
  });

  it('is the bundle of the callers if each of them made one of the slow calls', () => {
    const days = Array.from({ length: 120 }, (_, day) => [
      step(`day${day}`, 'handler', day * 10, day * 10 + 10),
      step(`query${day}`, `day${day}`, day * 10 + 1, day * 10 + 9),
    ]).flat();
    const found = findSlowestCalls(build(step('handler', null, 0, 1200), ...days));
    expect(found).toMatchObject({ kind: 'bundle', key: '×day0', calls: 120 });
    const shares = runWithoutPauses(timeInsideWork(found === undefined ? [] : listNodes(found)));
    expect(shares.map(({ longest, calls, selfMs }) => [longest.step.stepName, calls, selfMs])).toEqual([
      ['query', 120, 960],
      ['day', 120, 240],
    ]);
  });

  it('is the longer of two calls of one function, because two calls are too few to be grouped', () => {
    const forest = build(
      step('handler', null, 0, 30),
      step('a1', 'handler', 0, 10),
      step('a2', 'handler', 10, 25),
    );
    expect(findSlowestCalls(forest)?.key).toBe('a2');
  });

  it('does not add up calls of a function on different call paths', () => {
    const forest = build(
      step('one', null, 0, 20),
      step('two', null, 20, 40),
      step('query1', 'one', 0, 15),
      step('query2', 'two', 20, 35),
      step('render', null, 40, 60),
    );
    expect(findSlowestCalls(forest)?.key).toBe('render');
  });

  it('is found in a chain of calls deeper than the JavaScript stack', () => {
    const flow = Array.from({ length: 20_000 }, (_, index) =>
      step(`s${index}`, index === 0 ? null : `s${index - 1}`, 0, 100),
    );
    expect(findSlowestCalls(build(...flow))?.key).toBe('s19999');
  });

  it('is undefined if there are no steps or none took time', () => {
    expect(findSlowestCalls(build())).toBeUndefined();
    expect(findSlowestCalls(build(step('a', null, 3, 3)))).toBeUndefined();
  });

  it('contains the calls with the largest total self time, for any steps', () => {
    const flows = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        parent: fc.option(fc.nat()),
        start: fc.nat({ max: 60 }),
        duration: fc.nat({ max: 30 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(flows, (drawn) => {
        // Each step is called by an earlier step, or by none.
        const flow = drawn.map((one, index) => ({
          ...one,
          parent: one.parent === null || index === 0 ? -1 : one.parent % index,
        }));
        const forest = build(
          ...flow.map(({ name, parent, start, duration }, index) => ({
            ...step(`${index}`, parent < 0 ? null : `${parent}`, start, start + duration),
            stepName: name,
          })),
        );
        const findWay = (at: number): string => {
          const one = flow[at];
          return one === undefined ? '' : `${findWay(one.parent)}/${one.name}`;
        };
        const sums = new Map<string, number>();
        for (const [index, { start, duration }] of flow.entries()) {
          const called = flow.filter(({ parent }) => parent === index);
          let own = 0;
          for (let ms = start; ms < start + duration; ms += 1)
            if (!called.some((one) => one.start <= ms && ms < one.start + one.duration)) own += 1;
          sums.set(findWay(index), (sums.get(findWay(index)) ?? 0) + own);
        }
        const largest = Math.max(0, ...sums.values());
        const found = findSlowestCalls(forest);
        const keys = found === undefined ? [] : listNodes(found).map(({ key }) => Number(key));
        const isWithin = (at: number): boolean =>
          at >= 0 && (keys.includes(at) || isWithin(flow[at]?.parent ?? -1));
        const within = [...flow.keys()].filter(isWithin).map((at) => sums.get(findWay(at)) ?? 0);
        expect(Math.max(0, ...within)).toBe(largest);
        expect(found === undefined).toBe(largest === 0);
      }),
    );
  });
});

it('busy time counts parallel steps once, and no time outside the request', () => {
  const { all } = build(step('a', null, -5, 5), step('b', null, 3, 8), step('c', null, 10, 30));
  expect(measureBusyTime(all, 20)).toBe(18);
});
