import { each, runWithoutPauses, type Work } from '../../work/work.ts';
import { bundleRepeats, listNodes, type StepEntry, toEntry } from './bundle-repeats.ts';
import { identifyCall } from './call-identity.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/**
 * Finds the row of the step tree that took the most self time. Calls of the same function with the same call path count together: the row
 * is the single call, or the bundle that contains all of the calls. Undefined if no step has self time.
 */
export function findSlowestCalls(forest: StepForest): StepEntry | undefined {
  return runWithoutPauses(findSlowestCallsWork(forest));
}

/** Like {@link findSlowestCalls}, but can be paused. */
export function* findSlowestCallsWork(forest: StepForest): Work<StepEntry | undefined> {
  const { groups, selfMs } = yield* groupCallsWork(forest);
  let slowest: number | undefined;
  for (const [group, ms] of selfMs.entries()) if (ms > (selfMs[slowest ?? -1] ?? 0)) slowest = group;
  if (slowest === undefined) return undefined;
  const calls: StepNode[] = [];
  for (const [node, group] of groups) if (group === slowest) calls.push(node);
  return findLine(forest, calls);
}

interface CallGroups {
  /** The group of each step. Two steps are in the same group if they call the same function and their callers are in the same group. */
  readonly groups: ReadonlyMap<StepNode, number>;
  /** The self time of each group's calls. Milliseconds. */
  readonly selfMs: readonly number[];
}

function* groupCallsWork({ roots, all }: StepForest): Work<CallGroups> {
  const functions = new Map<string, number>();
  const byWay = new Map<number, number>();
  const groups = new Map<StepNode, number>();
  const selfMs: number[] = [];
  const topDown = [...roots];
  yield* each(topDown, (node) => {
    const identity = identifyCall(node);
    const called = functions.get(identity) ?? functions.size;
    functions.set(identity, called);
    const callers = node.parent === undefined ? all.length : (groups.get(node.parent) ?? all.length);
    // Combines `callers` and `called` into one number, since a string key takes several times as long.
    const way = callers * (all.length + 1) + called;
    const group = byWay.get(way) ?? byWay.size;
    byWay.set(way, group);
    groups.set(node, group);
    selfMs[group] = (selfMs[group] ?? 0) + node.selfMs;
    for (const child of node.children) topDown.push(child);
  });
  return { groups, selfMs };
}

/**
 * Finds the row that shows `calls`. Walks down from the top-level steps. At each level, continues with the entry that has the most self
 * time of `calls` in or below it. Stops at a bundle if several of its members are in `calls` or called a step in `calls`, otherwise at
 * the step in `calls`.
 */
function findLine(forest: StepForest, calls: readonly StepNode[]): StepEntry | undefined {
  const selfMs = sumSelfTimesOfCalls(calls);
  let siblings: readonly StepNode[] = forest.roots;
  for (;;) {
    const entry = findLargest(bundleRepeats(siblings), (each) => sumSelfTimes(listNodes(each)));
    if (entry === undefined) return undefined;
    const within = listNodes(entry).filter((node) => selfMs.has(node));
    const [node] = within;
    if (node === undefined || within.length > 1) return entry;
    const below = node.children.filter((child) => selfMs.has(child));
    if (below.length === 0) return entry.kind === 'step' ? entry : toEntry(node);
    siblings = node.children;
  }

  function sumSelfTimes(nodes: readonly StepNode[]): number | undefined {
    const known = nodes.flatMap((node) => selfMs.get(node) ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, ms) => sum + ms, 0);
  }
}

/**
 * Maps each given call to its self time, and each of its callers to the sum over the given calls below it. Moves up level by level: all
 * given calls have the same depth, so a caller's sum is complete when its level is reached.
 */
function sumSelfTimesOfCalls(calls: readonly StepNode[]): ReadonlyMap<StepNode, number> {
  const selfMs = new Map<StepNode, number>();
  let level = new Map(calls.map((node) => [node, node.selfMs]));
  while (level.size > 0) {
    const above = new Map<StepNode, number>();
    for (const [node, ms] of level) {
      selfMs.set(node, ms);
      if (node.parent !== undefined) above.set(node.parent, (above.get(node.parent) ?? 0) + ms);
    }
    level = above;
  }
  return selfMs;
}

function findLargest<Item>(
  items: readonly Item[],
  getSize: (item: Item) => number | undefined,
): Item | undefined {
  let found: { readonly item: Item; readonly size: number } | undefined;
  for (const item of items) {
    const size = getSize(item);
    if (size !== undefined && (found === undefined || size > found.size)) found = { item, size };
  }
  return found?.item;
}
