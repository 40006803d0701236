import type { Step } from '@throughline/contract';
import { findLongestRising } from './alignment/longest-rising.ts';
import { pairCalls } from './alignment/pair-calls.ts';

/** A call that both requests made, or that only one of them made. */
export interface AlignedStep {
  readonly left: Step | undefined;
  readonly right: Step | undefined;
  readonly depth: number;
  /** True if both requests made the call, but in a different order among its siblings. */
  readonly moved: boolean;
  /** How often the caller called this function in each request. */
  readonly times: { readonly left: number; readonly right: number };
  /**
   * Calls made by this call, in the left request's order. A call that only the right request made is placed before the next call that both
   * requests made in the same order.
   */
  readonly children: readonly AlignedStep[];
}

/**
 * Aligns the calls of two requests, beginning with the outermost calls. Among the calls that two paired calls made, calls of the same
 * function are paired. Uses a loop instead of recursion, because trees can be deeper than the stack if the host application recurses.
 */
export function alignSteps(left: readonly Step[], right: readonly Step[]): readonly AlignedStep[] {
  const [leftTree, rightTree] = [buildTree(left), buildTree(right)];
  const roots: Draft[] = [];
  const pending: { readonly into: Draft[]; readonly depth: number; readonly pair: Pair }[] = [
    { into: roots, depth: 0, pair: { left: undefined, right: undefined } },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { into, depth, pair } = next;
    const isRoot = depth === 0;
    const ofLeft = isRoot ? leftTree.roots : listChildren(leftTree, pair.left);
    const ofRight = isRoot ? rightTree.roots : listChildren(rightTree, pair.right);
    if (ofLeft.length + ofRight.length === 0) continue;
    for (const one of alignSiblings(ofLeft, ofRight)) {
      const draft: Draft = { ...one, depth, children: [] };
      into.push(draft);
      pending.push({ into: draft.children, depth: depth + 1, pair: draft });
    }
  }
  return roots;
}

interface Pair {
  readonly left: Step | undefined;
  readonly right: Step | undefined;
}
interface Draft extends Sibling {
  readonly depth: number;
  readonly children: Draft[];
}

interface Tree {
  readonly roots: readonly Step[];
  readonly children: ReadonlyMap<string, readonly Step[]>;
}

function listChildren(tree: Tree, step: Step | undefined): readonly Step[] {
  return step === undefined ? [] : (tree.children.get(step.stepId) ?? []);
}

/** Steps whose parent is missing become roots. So do steps whose parent comes later, because such parents could form a cycle. */
function buildTree(flow: readonly Step[]): Tree {
  const roots: Step[] = [];
  const children = new Map<string, Step[]>();
  const seen = new Set<string>();
  for (const step of flow) {
    const { parentStepId, stepId } = step;
    if (seen.has(stepId)) continue;
    const siblings = parentStepId !== null && seen.has(parentStepId) ? children.get(parentStepId) : roots;
    siblings?.push(step);
    seen.add(stepId);
    children.set(stepId, []);
  }
  return { roots, children };
}

/** Identifies the function or call of a step. Leaves out the line number, because a new release can move the function. */
export function identifyCall({ stepType, stepName, functionName, filePath }: Step): string {
  return JSON.stringify([stepType, functionName ?? stepName, filePath]);
}

interface Sibling extends Pair {
  readonly moved: boolean;
  readonly times: AlignedStep['times'];
}

/** The calls of one function among siblings, as indexes into the siblings of each request. */
interface CallsOfFunction {
  readonly left: number[];
  readonly right: number[];
}

function groupByFunction(
  left: readonly Step[],
  right: readonly Step[],
): ReadonlyMap<string, CallsOfFunction> {
  const groups = new Map<string, CallsOfFunction>();
  for (const [side, siblings] of [['left', left] as const, ['right', right] as const]) {
    for (const [index, step] of siblings.entries()) {
      const key = identifyCall(step);
      const group = groups.get(key) ?? { left: [], right: [] };
      group[side].push(index);
      groups.set(key, group);
    }
  }
  return groups;
}

function pick<Item>(items: readonly Item[], places: readonly number[]): Item[] {
  return places.flatMap((place) => items[place] ?? []);
}

function countTimes(steps: readonly Step[]): number {
  return steps.reduce((sum, { repeat }) => sum + (repeat?.count ?? 1), 0);
}

function alignSiblings(left: readonly Step[], right: readonly Step[]): readonly Sibling[] {
  const partners: (number | undefined)[] = left.map(() => undefined);
  const groups = groupByFunction(left, right);
  const times = new Map<string, AlignedStep['times']>();
  for (const [key, group] of groups) {
    const [ofLeft, ofRight] = [pick(left, group.left), pick(right, group.right)];
    times.set(key, { left: countTimes(ofLeft), right: countTimes(ofRight) });
    for (const [at, partner] of pairCalls(ofLeft, ofRight).entries()) {
      const place = group.left[at];
      if (place !== undefined && partner !== undefined) partners[place] = group.right[partner];
    }
  }
  const readTimes = (step: Step) => times.get(identifyCall(step)) ?? { left: 0, right: 0 };
  const inOrder = findLongestRising(partners);
  const paired = new Set(partners.filter((partner) => partner !== undefined));
  const rightAlone = right.map((step, index) => ({ step, index })).filter(({ index }) => !paired.has(index));
  const result: Sibling[] = [];
  let nextAlone = 0;
  const addAloneBefore = (index: number) => {
    for (let alone = rightAlone[nextAlone]; alone !== undefined && alone.index < index; ) {
      result.push({ left: undefined, right: alone.step, moved: false, times: readTimes(alone.step) });
      nextAlone += 1;
      alone = rightAlone[nextAlone];
    }
  };
  for (const [index, step] of left.entries()) {
    const partner = partners[index];
    const moved = partner !== undefined && !inOrder.has(index);
    if (partner !== undefined && !moved) {
      addAloneBefore(partner);
    }
    result.push({
      left: step,
      right: partner === undefined ? undefined : right[partner],
      moved,
      times: readTimes(step),
    });
  }
  addAloneBefore(Number.POSITIVE_INFINITY);
  return result;
}

/** Lists all aligned steps in display order: each step before the steps that it called. */
export function listAligned(roots: readonly AlignedStep[]): AlignedStep[] {
  const listed: AlignedStep[] = [];
  const pending = [...roots].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    listed.push(next);
    for (const child of next.children.toReversed()) pending.push(child);
  }
  return listed;
}
