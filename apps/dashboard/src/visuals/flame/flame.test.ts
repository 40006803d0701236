import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep, ran } from '../steps/step.fixture.ts';
import { findFrameBeside, layOutFlame } from './flame-layout.ts';
import { buildFlameTree, type Frame, findSlowestCall, listFunctionTimes } from './flame-tree.ts';

const step = (
  stepId: string,
  parentStepId: string | null,
  startMs: number,
  duration: number,
  stepName = stepId,
): Step => aStep(stepId, { parentStepId, stepName, ...ran(startMs, duration) });

const buildTree = (steps: readonly Step[], durationMs: number) =>
  buildFlameTree(aForest(steps), 'GET /', durationMs);

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
    expect(findSlowestCall(all[2] ?? expect.fail())?.key).toBe('q2');
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
    expect(findFrameBeside(query, 'ArrowUp')?.name).toBe('page');
    expect(findFrameBeside(query, 'ArrowDown')?.name).toBe('parse');
    expect(findFrameBeside(query, 'ArrowLeft')).toBeUndefined();
    expect(findFrameBeside(query, 'x')).toBeUndefined();
  });

  it('is laid out for 20,000 nested steps of different functions', () => {
    const deep = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, i === 0 ? null : `s${i - 1}`, 0, 1));
    const tree = buildTree(deep, 1);
    expect(layOutFlame(tree.root, 500)).toHaveLength(20_001);
    expect(listFunctionTimes(tree)).toHaveLength(20_000);
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

  it('merges the calls of each call path like a slow reference computation, and places each frame within its caller', () => {
    fc.assert(
      fc.property(steps, fc.nat(300), (list, durationMs) => {
        const tree = buildTree(list, durationMs);
        const paths = list.map(({ stepId }) => findPath(list, stepId));
        const expected = [...new Set(paths)].toSorted().map((path) => {
          const own = list.filter((_, index) => paths[index] === path);
          return {
            path,
            steps: own.map(({ stepId }) => stepId).toSorted(),
            totalMs: own.reduce((sum, { duration }) => sum + duration, 0),
            selfMs: own.reduce((sum, one) => sum + countOwnMs(list, one), 0),
          };
        });
        const found = tree.all.slice(1).map((frame) => ({
          path: writePath(frame),
          steps: frame.nodes.map(({ key }) => key).toSorted(),
          totalMs: frame.totalMs,
          selfMs: frame.selfMs,
        }));
        expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(expected);
        for (const [index, { stepId }] of list.entries()) {
          const frame = tree.framesByStep.get(stepId);
          expect(frame && writePath(frame)).toBe(paths[index]);
        }
        const selfByName = (name: string) =>
          expected.reduce((sum, { path, selfMs }) => sum + (path.endsWith(`/${name}`) ? selfMs : 0), 0);
        const times = listFunctionTimes(tree).map(({ frame, selfMs }) => [frame.name, selfMs]);
        const names = [...new Set(list.map(({ stepName }) => stepName))];
        expect(Object.fromEntries(times)).toEqual(
          Object.fromEntries(names.map((name) => [name, selfByName(name)])),
        );
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

/** Returns the names of a step's callers, outermost first, and of the step itself. */
function findPath(list: readonly Step[], stepId: string | null): string {
  const found = list.find((one) => one.stepId === stepId);
  return found === undefined ? '' : `${findPath(list, found.parentStepId)}/${found.stepName}`;
}

const writePath = (frame: Frame): string =>
  frame.parent === undefined ? '' : `${writePath(frame.parent)}/${frame.name}`;

/** Counts the milliseconds during which a step ran, but none of the steps that it called ran. */
function countOwnMs(list: readonly Step[], { stepId, startTime, duration }: Step): number {
  const startMs = Date.parse(startTime);
  const called = list
    .filter(({ parentStepId }) => parentStepId === stepId)
    .map((one) => ({ from: Date.parse(one.startTime), to: Date.parse(one.startTime) + one.duration }));
  let own = 0;
  for (let ms = startMs; ms < startMs + duration; ms += 1)
    if (!called.some(({ from, to }) => from <= ms && ms < to)) own += 1;
  return own;
}

describe('the table of functions', () => {
  it('is sorted by self time, largest first', () => {
    expect(
      listFunctionTimes(buildTree(page, 120)).map(({ frame, calls, selfMs, totalMs }) => [
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
    const times = listFunctionTimes(buildTree(recursion, 30));
    expect(times.map(({ frame, calls, totalMs }) => [frame.name, calls, totalMs])).toEqual([
      ['f', 3, 15],
      ['g', 1, 8],
    ]);
  });
});
