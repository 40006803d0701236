import type { Step } from '@throughline/contract';

/** A call that both requests made, or that only one of them made. */
export interface AlignedStep {
  readonly left: Step | undefined;
  readonly right: Step | undefined;
  readonly depth: number;
  /** True if both requests made the call, but in a different order among its siblings. */
  readonly moved: boolean;
  /**
   * Calls made by this call, in the left request's order. A call that only the right request made follows the call that precedes it in the
   * right request.
   */
  readonly children: readonly AlignedStep[];
}

/**
 * Aligns the calls of two requests. Below a pair, the n-th call of a function in one request is paired with the n-th call of the same
 * function in the other. Uses a loop instead of recursion, because trees can be deeper than the stack if the host application recurses.
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
interface Draft extends Pair {
  readonly depth: number;
  readonly moved: boolean;
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

function alignSiblings(
  left: readonly Step[],
  right: readonly Step[],
): readonly (Pair & { readonly moved: boolean })[] {
  const waiting = new Map<string, number[]>();
  for (const [index, step] of right.entries()) {
    const key = identifyCall(step);
    const places = waiting.get(key);
    if (places === undefined) waiting.set(key, [index]);
    else places.push(index);
  }
  const taken = new Map<string, number>();
  const partners = left.map((step) => {
    const key = identifyCall(step);
    const count = taken.get(key) ?? 0;
    taken.set(key, count + 1);
    return waiting.get(key)?.[count];
  });
  const inOrder = findLongestRising(partners);
  const paired = new Set(partners.filter((partner) => partner !== undefined));
  const rightAlone = right.map((step, index) => ({ step, index })).filter(({ index }) => !paired.has(index));
  const result: (Pair & { readonly moved: boolean })[] = [];
  let nextAlone = 0;
  const addAloneBefore = (index: number) => {
    for (let alone = rightAlone[nextAlone]; alone !== undefined && alone.index < index; ) {
      result.push({ left: undefined, right: alone.step, moved: false });
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
    result.push({ left: step, right: partner === undefined ? undefined : right[partner], moved });
  }
  addAloneBefore(Number.POSITIVE_INFINITY);
  return result;
}

/** Returns the positions of a longest increasing subsequence (patience sorting). Numbers at other positions were reordered. */
function findLongestRising(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  const valueAt = (place: number | undefined) =>
    (place === undefined ? undefined : numbers[place]) ?? Number.NEGATIVE_INFINITY;
  for (const [place, value] of numbers.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (valueAt(ends[middle]) < value) low = middle + 1;
      else high = middle;
    }
    before.set(place, ends[low - 1]);
    ends[low] = place;
  }
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) found.add(at);
  return found;
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
