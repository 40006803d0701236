import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignSteps, listAligned } from './align-steps.ts';

type Written = readonly [id: string, parent: string | null, name: string, country?: string];

function steps(written: readonly Written[]): Step[] {
  return written.map(([stepId, parentStepId, name, country], sequence) => ({
    stepId,
    parentStepId,
    sequence,
    stepName: name,
    stepType: 'function',
    startTime: '2026-01-01T00:00:00.000Z',
    endTime: '2026-01-01T00:00:00.000Z',
    duration: 0,
    functionName: name,
    filePath: null,
    lineNumber: null,
    error: null,
    ...(country !== undefined && { inputs: { country } }),
  }));
}

const aligned = (left: readonly Written[], right: readonly Written[]) =>
  listAligned(alignSteps(steps(left), steps(right))).map((at) => [at.left?.stepId, at.right?.stepId]);

test('a call that only one of the two requests made is placed between the calls that this request made before and after it', () => {
  const left: Written[] = [
    ['a', null, 'a'],
    ['c', null, 'c'],
  ];
  const right: Written[] = [
    ['a', null, 'a'],
    ['b', null, 'b'],
    ['c', null, 'c'],
  ];
  expect(aligned(left, right)).toEqual([
    ['a', 'a'],
    [undefined, 'b'],
    ['c', 'c'],
  ]);
  expect(aligned(right, left)).toEqual([
    ['a', 'a'],
    ['b', undefined],
    ['c', 'c'],
  ]);
});

test('calls in a different order are paired, and the moved call is marked', () => {
  const both = alignSteps(
    steps([
      ['1', null, 'a'],
      ['2', null, 'b'],
      ['3', null, 'c'],
    ]),
    steps([
      ['1', null, 'b'],
      ['2', null, 'c'],
      ['3', null, 'a'],
    ]),
  );
  expect(both.map(({ left, right, moved }) => [left?.functionName, right?.functionName, moved])).toEqual([
    ['a', 'a', true],
    ['b', 'b', false],
    ['c', 'c', false],
  ]);
});

test('the n-th call of a function in one request is paired with the n-th call in the other request', () => {
  expect(
    aligned(
      [
        ['1', null, 'a'],
        ['2', null, 'a'],
      ],
      [['x', null, 'a']],
    ),
  ).toEqual([
    ['1', 'x'],
    ['2', undefined],
  ]);
});

test('an additional call before calls with equal inputs is the only call without a partner, and each aligned call has the numbers of calls in both requests', () => {
  const left: Written[] = [
    ['0', null, 'taxFor', 'FR'],
    ['1', null, 'taxFor', 'GB'],
    ['2', null, 'taxFor', 'UK'],
  ];
  const right: Written[] = [
    ['x', null, 'taxFor', 'GB'],
    ['y', null, 'taxFor', 'DE'],
  ];
  const found = alignSteps(steps(left), steps(right));
  expect(found.map((at) => [at.left?.stepId, at.right?.stepId, at.moved])).toEqual([
    ['0', undefined, false],
    ['1', 'x', false],
    ['2', 'y', false],
  ]);
  expect(found.map(({ times }) => times)).toEqual(Array(3).fill({ left: 3, right: 2 }));
});

test('a call aggregate counts as all of its calls', () => {
  const [step] = steps([['1', null, 'a']]);
  const many = { ...step, repeat: { count: 60, minMs: 0, sumMs: 0, maxMs: 0 } } as Step;
  expect(alignSteps([many], steps([['x', null, 'a']]))[0]?.times).toEqual({ left: 60, right: 1 });
});

test('a chain of 50,000 calls is aligned without a stack overflow', () => {
  const chain = Array.from(
    { length: 50_000 },
    (_, at): Written => [`s${at}`, at === 0 ? null : `s${at - 1}`, 'f'],
  );
  expect(aligned(chain, chain)).toHaveLength(50_000);
});

const flow = fc
  .array(fc.record({ parent: fc.nat(), name: fc.constantFrom('a', 'b', 'c') }), { maxLength: 40 })
  .map((made) =>
    made.map(({ parent, name }, index): Written => {
      const above = index === 0 ? -1 : (parent % (index + 1)) - 1;
      return [`s${index}`, above < 0 ? null : `s${above}`, name];
    }),
  );

/**
 * Pairs the n-th calls of the same name below each pair of calls. Counts the calls that must move: all calls outside the longest sequence
 * that has the same order in both requests.
 */
function pairSlowly(
  left: readonly Written[],
  right: readonly Written[],
  above: [string | null, string | null],
) {
  const below = (flow: readonly Written[], parent: string | null | undefined) =>
    parent === undefined ? [] : flow.filter((one) => one[1] === parent);
  const [ones, others] = [below(left, above[0]), below(right, above[1])];
  const partners = ones.map(([, , name], index) => {
    const nth = ones.slice(0, index).filter((one) => one[2] === name).length;
    return others.filter((other) => other[2] === name)[nth];
  });
  const places = partners.flatMap((partner) => (partner === undefined ? [] : [others.indexOf(partner)]));
  const longest: number[] = [];
  for (const [at, place] of places.entries())
    longest.push(
      1 + Math.max(0, ...longest.filter((_, before) => before < at && (places[before] ?? 0) < place)),
    );
  const own = ones.map((one, index) => [one[0], partners[index]?.[0]] as const);
  const alone = others
    .filter((other) => !partners.includes(other))
    .map((other) => [undefined, other[0]] as const);
  const pairs = [...own, ...alone];
  let moves = places.length - Math.max(0, ...longest);
  const all: (readonly [string | undefined, string | undefined])[] = [...pairs];
  for (const [one, other] of pairs) {
    // `-` is the parent of no step.
    const inside = pairSlowly(left, right, [one ?? '-', other ?? '-']);
    all.push(...inside.all);
    moves += inside.moves;
  }
  return { all, moves };
}

test('the n-th calls of a function below a pair of calls are paired, and as few calls as possible are marked as moved', () => {
  fc.assert(
    fc.property(flow, flow, (left, right) => {
      const { all, moves } = pairSlowly(left, right, [null, null]);
      const write = (pairs: readonly (readonly (string | undefined)[])[]) =>
        pairs.map(([one, other]) => `${one} ${other}`).toSorted();
      expect(write(aligned(left, right))).toEqual(write(all));
      const found = listAligned(alignSteps(steps(left), steps(right)));
      expect(found.filter(({ moved }) => moved)).toHaveLength(moves);
      // Each step follows the step that called it, and is listed one level below it.
      for (const [at, { depth }] of found.entries())
        expect(depth).toBeLessThanOrEqual((found[at - 1]?.depth ?? -1) + 1);
    }),
  );
});

test('each step of a request is paired with itself if the request is compared with itself', () => {
  fc.assert(
    fc.property(flow, (written) => {
      const both = listAligned(alignSteps(steps(written), steps(written)));
      expect(both.every(({ left, right, moved }) => left?.stepId === right?.stepId && !moved)).toBe(true);
    }),
  );
});
