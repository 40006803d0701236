import { microsToInstant, type Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildStepForest } from '../steps/analysis/step-forest.ts';
import { aStep, ran } from '../steps/step.fixture.ts';
import { frameBeside, layOutFlame } from './flame-layout.ts';
import { buildFlameTree, functionTimes, slowestCall } from './flame-tree.ts';

const BEGIN = 1_767_225_600_000_000n;

const step = (
  stepId: string,
  parentStepId: string | null,
  startMs: number,
  duration: number,
  stepName = stepId,
): Step => aStep(stepId, { parentStepId, stepName, ...ran(startMs, duration) });

const buildTree = (steps: readonly Step[], durationMs: number) =>
  buildFlameTree(buildStepForest(steps, microsToInstant(BEGIN)), 'GET /', durationMs);

const page = [
  step('page', null, 0, 100),
  step('q1', 'page', 10, 10, 'query'),
  step('q2', 'page', 30, 30, 'query'),
  step('parse1', 'q1', 12, 4, 'parse'),
  step('parse2', 'q2', 35, 6, 'parse'),
];

describe('a flame graph', () => {
  it('merges calls of a function that share a call path', () => {
    const { all, framesByStep } = buildTree(page, 120);
    expect(
      all.map(({ name, calls, totalMs, selfMs, weight }) => [name, calls, totalMs, selfMs, weight]),
    ).toEqual([
      ['GET /', 0, 120, 20, 120],
      ['page', 1, 100, 60, 100],
      ['query', 2, 40, 30, 40],
      ['parse', 2, 10, 10, 10],
    ]);
    expect(framesByStep.get('q1')).toBe(framesByStep.get('q2'));
    expect(slowestCall(all[2] ?? expect.fail())?.key).toBe('q2');
  });

  it('is wide enough for overlapping calls', () => {
    const { root } = buildTree(
      [step('a', null, 0, 10), step('b', null, 0, 10), step('c', 'a', 0, 10), step('d', 'a', 0, 10)],
      10,
    );
    expect(root.weight).toBe(30);
    expect(root.selfMs).toBe(0);
  });

  it('shows calls without measured time, and only the request if there are no calls', () => {
    const { root } = buildTree([step('a', null, 0, 0), step('b', 'a', 0, 0)], 0);
    expect(root.weight).toBe(2);
    expect(layOutFlame(root, 100)).toHaveLength(3);
    expect(layOutFlame(buildTree([], 0).root, 100)).toHaveLength(1);
  });

  it('shows the focused function at full width below its callers', () => {
    const tree = buildTree(page, 120);
    const query = tree.all[2] ?? expect.fail();
    expect(layOutFlame(query, 400).map(({ frame, x, width, row }) => [frame.name, x, width, row])).toEqual([
      ['GET /', 0, 400, 0],
      ['page', 0, 400, 1],
      ['query', 0, 400, 2],
      ['parse', 0, 100, 3],
    ]);
    expect(frameBeside(query, 'ArrowUp')?.name).toBe('page');
    expect(frameBeside(query, 'ArrowDown')?.name).toBe('parse');
    expect(frameBeside(query, 'ArrowLeft')).toBeUndefined();
    expect(frameBeside(query, 'x')).toBeUndefined();
  });

  it('is laid out for 20,000 nested steps of different functions', () => {
    const deep = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, i === 0 ? null : `s${i - 1}`, 0, 1));
    const tree = buildTree(deep, 1);
    expect(layOutFlame(tree.root, 500)).toHaveLength(20_001);
    expect(functionTimes(tree)).toHaveLength(20_000);
  });

  const steps = fc
    .array(
      fc.record({
        parent: fc.nat(),
        start: fc.nat(100),
        duration: fc.nat(100),
        name: fc.constantFrom('a', 'b', 'c'),
      }),
      {
        maxLength: 40,
      },
    )
    .map((list) =>
      list.map(({ parent, start, duration, name }, index) =>
        step(
          `s${index}`,
          parent % (index + 1) === index ? null : `s${parent % (index + 1)}`,
          start,
          duration,
          name,
        ),
      ),
    );

  it('has every call once, keeps the total time, and has children within their caller', () => {
    fc.assert(
      fc.property(steps, fc.nat(300), (list, durationMs) => {
        const tree = buildTree(list, durationMs);
        expect(tree.all.flatMap(({ nodes }) => nodes.map(({ key }) => key)).toSorted()).toEqual(
          list.map(({ stepId }) => stepId).toSorted(),
        );
        expect(tree.framesByStep.size).toBe(list.length);
        const sumSelfTimes = (of: readonly { selfMs: number }[]) =>
          of.reduce((sum, { selfMs }) => sum + selfMs, 0);
        expect(sumSelfTimes(functionTimes(tree))).toBeCloseTo(sumSelfTimes(tree.all) - tree.root.selfMs);
        const boxes = layOutFlame(tree.root, 800);
        const boxesByFrame = new Map(boxes.map((box) => [box.frame, box]));
        for (const { frame, x, width } of boxes) {
          const caller = frame.parent === undefined ? undefined : boxesByFrame.get(frame.parent);
          if (caller === undefined) continue;
          expect(x).toBeGreaterThanOrEqual(caller.x - 1e-6);
          expect(x + width).toBeLessThanOrEqual(caller.x + caller.width + 1e-6);
        }
      }),
    );
  });
});

describe('the table of functions', () => {
  it('is sorted by self time, largest first', () => {
    expect(
      functionTimes(buildTree(page, 120)).map(({ frame, calls, selfMs, totalMs }) => [
        frame.name,
        calls,
        selfMs,
        totalMs,
      ]),
    ).toEqual([
      ['page', 1, 60, 100],
      ['query', 2, 30, 40],
      ['parse', 2, 10, 10],
    ]);
  });

  it('counts the time of recursive calls once', () => {
    const recursion = [
      step('f1', null, 0, 10, 'f'),
      step('g', 'f1', 1, 8, 'g'),
      step('f2', 'g', 2, 6, 'f'),
      step('f3', null, 20, 5, 'f'),
    ];
    const times = functionTimes(buildTree(recursion, 30));
    expect(times.map(({ frame, calls, totalMs }) => [frame.name, calls, totalMs])).toEqual([
      ['f', 3, 15],
      ['g', 1, 8],
    ]);
  });
});
