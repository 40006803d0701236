import type { Step } from '@throughline/contract';
import { formatInstant } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntry } from '../../flow/entry-words.ts';
import { aForest, at } from '../step.fixture.ts';
import { revealEntry, stepRows } from '../tree/step-rows.ts';
import { bundleRepeats, countCalls } from './bundle-repeats.ts';
import { findFailingStep, findNextError, type StepForest, type StepNode } from './step-forest.ts';

const BEGIN = 1_767_225_600_000_000n;

/**
 * Builds a step from its id, its parent's id, its start (ms after the trace's start) and its duration. The step's name is its id without
 * the number.
 */
function step(
  stepId: string,
  parent: string | null,
  startMs: number,
  duration: number,
  error?: string,
): Step {
  return {
    stepId,
    parentStepId: parent,
    sequence: 0,
    stepName: stepId.replace(/\d+$/, ''),
    stepType: 'function',
    startTime: formatInstant(BEGIN + BigInt(Math.round(startMs * 1000))),
    endTime: formatInstant(BEGIN + BigInt(Math.round((startMs + duration) * 1000))),
    duration,
    functionName: null,
    filePath: 'src/a.ts',
    lineNumber: 1,
    error: error === undefined ? null : { message: error },
  };
}

const build = (...flow: Step[]) => aForest(flow);
const outline = (forest: StepForest) =>
  stepRows({ forest }, new Set()).map(({ entry, level }) =>
    entry.kind === 'bundle'
      ? `${level} ×${entry.nodes.length} ${entry.first.step.stepName}`
      : `${level} ${entry.key}`,
  );

describe('the tree of steps', () => {
  it('is in start order, for any order of arrival', () => {
    const forest = build(step('c', 'a', 5, 1), step('a', null, 0, 10), step('b', 'a', 1, 1));
    expect(outline(forest)).toEqual(['1 a', '2 b', '2 c']);
    expect(forest.all.map((node) => node.number)).toEqual([1, 2, 3]);
  });

  it('is in sequence order if two steps started together', () => {
    const forest = build(
      { ...step('b', null, 0, 1), sequence: 2 },
      { ...step('a', null, 0, 1), sequence: 1 },
    );
    expect(outline(forest)).toEqual(['1 a', '1 b']);
  });

  it('has a step without a known parent at the top', () => {
    expect(outline(build(step('a', 'lost', 0, 1)))).toEqual(['1 a']);
  });

  it('contains each step of a cycle of parents once', () => {
    const forest = build(
      step('a', 'b', 0, 1),
      step('b', 'c', 1, 1),
      step('c', 'a', 2, 1),
      step('d', 'd', 3, 1),
    );
    expect(outline(forest).toSorted()).toEqual(['1 c', '1 d', '2 b', '3 a']);
  });

  it('contains both of two steps with the same id', () => {
    const forest = build(step('a', null, 0, 1), step('a', null, 1, 1), step('b', 'a', 2, 1));
    expect(outline(forest)).toEqual(['1 a', '2 b', '1 a (2)']);
  });

  it('is empty without steps', () => {
    const forest = build();
    expect(outline(forest)).toEqual([]);
    expect(findFailingStep(forest, null)).toBeUndefined();
    expect(findNextError(forest, undefined)).toBeUndefined();
  });

  it('can be 20,000 levels deep', () => {
    const flow = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, i === 0 ? null : `s${i - 1}`, i, 1));
    const forest = aForest(flow.toReversed());
    expect(forest.all.at(-1)?.depth).toBe(19_999);
    const last = forest.all.at(-1);
    if (last === undefined) throw new Error('no steps');
    expect(stepRows({ forest }, revealEntry({ forest }, last.key, new Set()))).toHaveLength(20_000);
  });
});

describe('self time', () => {
  it.each([
    ['without children', [], 100],
    ['minus one child', [[10, 30]], 70],
    [
      'minus sequential children',
      [
        [0, 20],
        [20, 20],
      ],
      60,
    ],
    [
      'counting overlapping children once',
      [
        [0, 50],
        [25, 50],
      ],
      25,
    ],
    [
      'counting a child within another once',
      [
        [0, 50],
        [10, 5],
      ],
      50,
    ],
    ["without a child's time after the step's end", [[90, 100]], 90],
    ["without a child's time before the step's start", [[-20, 30]], 90],
    ['never below zero', [[0, 200]], 0],
  ] as const)('is the duration %s', (_name, children, selfMs) => {
    const forest = build(
      { ...step('a', null, 0, 100), sequence: -1 },
      ...children.map(([start, ms], i) => step(`c${i}`, 'a', start, ms)),
    );
    expect(forest.byId.get('a')?.selfMs).toBe(selfMs);
  });

  it.each([
    ['minus the duration of a child with pauses', [[0, 20, 80]], 80],
    [
      'minus a child with pauses, which did not run at the same time as another child',
      [
        [0, 20, 50],
        [10, 30, 40],
      ],
      50,
    ],
    ['minus at most the time between the start and the end of concurrent calls', [[10, 500, 70]], 40],
  ] as const)('is the duration %s', (_name, children, selfMs) => {
    const forest = build(
      { ...step('a', null, 0, 100), sequence: -1 },
      ...children.map(([start, ms, end], i) => ({
        ...step(`c${i}`, 'a', start, ms),
        endTime: at(end),
        ...(ms > end - start && { repeat: { count: 9, minMs: 0, sumMs: ms, maxMs: ms } }),
      })),
    );
    expect(forest.byId.get('a')?.selfMs).toBe(selfMs);
  });

  it.each([
    ['minus their child steps', 10, 4, 6],
    ['never below zero', 10, 12, 0],
    ['at most the time between the first and the last call', 5000, 0, 100],
  ])('of a call aggregate is the total duration of the calls, %s', (_name, sumMs, below, selfMs) => {
    const repeat = { count: 9, minMs: 0, sumMs, maxMs: 1 };
    const many = { ...step('a', null, 0, 100), duration: sumMs, repeat };
    const forest = build(many, step('b', 'a', 50, below));
    expect(forest.byId.get('a')?.selfMs).toBe(selfMs);
  });
});

describe('the failing step', () => {
  it('is the step that threw, not a caller that passed the error on', () => {
    const forest = build(step('a', null, 0, 9, 'x'), step('b', 'a', 1, 5, 'x'), step('c', 'b', 2, 1, 'x'));
    expect(findFailingStep(forest, 'x')?.key).toBe('c');
  });

  it("is the step with the trace's error, rather than an earlier step whose error was caught", () => {
    const forest = build(
      step('a', null, 0, 9),
      step('b', 'a', 1, 1, 'caught'),
      step('c', 'a', 3, 1, 'fatal'),
    );
    expect(findFailingStep(forest, 'fatal')?.key).toBe('c');
    expect(findFailingStep(forest, null)?.key).toBe('b');
  });

  it('is followed by the next step that failed; after the last step that failed comes the first again', () => {
    const forest = build(step('a', null, 0, 1, 'x'), step('b', null, 1, 1), step('c', null, 2, 1, 'y'));
    const first = findNextError(forest, undefined);
    const second = findNextError(forest, first);
    expect([first?.key, second?.key, findNextError(forest, second)?.key]).toEqual(['a', 'c', 'a']);
  });
});

describe('bundles of repeated steps', () => {
  const shape = (...names: string[]) =>
    bundleRepeats(
      build(...names.map((name, i) => step(`${name}${i}`, null, i, 1, name === 'bad' ? 'x' : undefined)))
        .roots,
    ).map((entry) =>
      entry.kind === 'bundle'
        ? `${entry.first.step.stepName}×${entry.nodes.length}`
        : entry.node.step.stepName,
    );
  it.each([
    [
      ['a', 'a'],
      ['a', 'a'],
    ],
    [['a', 'a', 'a'], ['a×3']],
    [
      ['a', 'a', 'a', 'b', 'a'],
      ['a×3', 'b', 'a'],
    ],
    [
      ['a', 'b', 'a', 'b', 'a', 'b'],
      ['a', 'b', 'a', 'b', 'a', 'b'],
    ],
    [Array.from({ length: 16 }, (_, i) => 'ab'.charAt(i % 2)), ['a×8', 'b×8']],
    [
      ['bad', 'bad', 'bad'],
      ['bad', 'bad', 'bad'],
    ],
  ])('of the steps %j are %j', (names, bundles) => {
    expect(shape(...names)).toEqual(bundles);
  });

  it('have total, minimum, maximum and median durations', () => {
    const [entry] = bundleRepeats(
      build(step('a1', null, 0, 4), step('a2', null, 1, 1), step('a3', null, 2, 10)).roots,
    );
    expect(entry).toMatchObject({ kind: 'bundle', sumMs: 15, minMs: 1, medianMs: 4, maxMs: 10, calls: 3 });
  });

  it('count all calls of a call aggregate', () => {
    const repeat = { count: 97, minMs: 0.5, sumMs: 80, maxMs: 20 };
    const many = { ...step('a3', null, 2, 80), repeat };
    const [entry] = bundleRepeats(build(step('a1', null, 0, 4), step('a2', null, 1, 1), many).roots);
    expect(entry).toMatchObject({ kind: 'bundle', calls: 99, sumMs: 85, minMs: 0.5, medianMs: 4, maxMs: 20 });
    const [alone] = bundleRepeats(build(many).roots);
    expect(alone && countCalls(alone)).toBe(97);
    expect(alone && describeEntry(alone)).toMatchObject({
      times: '×97',
      sentence: '1. a, function, 97 times, 80 ms',
    });
  });
});

describe('any steps', () => {
  interface AnyStep {
    readonly id: number;
    readonly parent: number | null;
    readonly start: number;
    readonly duration: number;
    readonly failed: boolean;
  }
  const flows: fc.Arbitrary<AnyStep[]> = fc.array(
    fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      parent: fc.option(fc.integer({ min: 0, max: 14 })),
      start: fc.integer({ min: 0, max: 50 }),
      duration: fc.integer({ min: 0, max: 50 }),
      failed: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  const buildForest = (flow: readonly AnyStep[]) =>
    build(
      ...flow.map(({ id, parent, start, duration, failed }) =>
        step(`s${id}`, parent === null ? null : `s${parent}`, start, duration, failed ? 'x' : undefined),
      ),
    );

  it('are each shown once below their callers when everything is expanded', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const forest = buildForest(flow);
        const folded = stepRows({ forest }, new Set()).flatMap(({ entry }) =>
          entry.kind === 'bundle' ? [entry.key] : [],
        );
        const rows = stepRows({ forest }, new Set(folded));
        const steps = rows.flatMap(({ entry }) => (entry.kind === 'step' ? [entry.key] : []));
        // Opening a bundle can show further bundles, which still hide steps.
        const hidden = rows.filter((row) => row.open === false).length;
        expect(new Set(steps).size).toBe(steps.length);
        if (hidden === 0) expect(steps.length).toBe(flow.length);
        for (const row of rows) {
          const above = rows[row.above];
          expect(above === undefined ? 1 : above.level + 1).toBe(row.level);
        }
      }),
    );
  });

  it('have a row after the rows of their callers are opened', () => {
    fc.assert(
      fc.property(flows, fc.nat(), (flow, pick) => {
        const forest = buildForest(flow);
        const node = forest.all[pick % Math.max(1, flow.length)];
        if (node === undefined) return;
        const toggled = revealEntry({ forest }, node.key, new Set());
        expect(stepRows({ forest }, toggled).some(({ entry }) => entry.key === node.key)).toBe(true);
        expect(revealEntry({ forest }, node.key, toggled)).toBe(toggled);
      }),
    );
  });

  it('are never in a bundle if they are on the path to the failure', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const forest = buildForest(flow);
        const onPath = new Set<StepNode>();
        for (const failed of forest.all.filter(({ step: { error } }) => error !== null))
          for (let at: StepNode | undefined = failed; at !== undefined; at = at.parent) onPath.add(at);
        expect(new Set(forest.all.filter((node) => node.onFailingPath))).toEqual(onPath);
        for (const siblings of [forest.roots, ...forest.all.map((node) => node.children)]) {
          for (const entry of bundleRepeats(siblings)) {
            if (entry.kind === 'bundle') expect(entry.nodes.filter((node) => onPath.has(node))).toEqual([]);
          }
        }
      }),
    );
  });
});
