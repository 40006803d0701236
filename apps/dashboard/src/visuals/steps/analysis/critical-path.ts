import { each, runWithoutPauses, type Work } from '../../work/work.ts';
import { listNodes, type StepEntry } from './bundle-repeats.ts';
import { computeExtent, type Stretch } from './step-extent.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** A time range in which a step itself, and no step below it, delayed the request. Milliseconds from the trace's start. */
export interface CriticalSegment extends Stretch {
  readonly node: StepNode;
}

/**
 * The segments that determined when the request ended. If a step outside these segments had been faster, the request would still have ended
 * at the same time.
 */
export interface CriticalPath {
  /** In time order, without overlaps. */
  readonly segments: readonly CriticalSegment[];
  /** The steps on the path, including all callers of such steps. */
  readonly steps: ReadonlySet<StepNode>;
  /** For each step, the segments of the critical path during which the step itself ran. */
  readonly own: ReadonlyMap<StepNode, readonly CriticalSegment[]>;
  /** The total duration of all segments, at most the request's duration. Milliseconds. */
  readonly totalMs: number;
}

/** Clocks with µs resolution can show a step as ended this much after the next step began. Milliseconds. */
const CLOCK_TOLERANCE_MS = 0.005;
/**
 * Repeated calls that are stored as one step can be on the critical path only if they fill at least this share of the time from the first
 * call to the last. The step then counts as running during this whole time.
 */
const DENSE = 0.5;
const WORTH_A_MARK = 0.01;

/**
 * Finds the critical path by walking back from the request's end. The request waited for the step that ended last; before that step began,
 * it waited for the step that had ended last by then; and so on. The same applies to each step and its children. A child can end after its
 * caller (a callback, or a promise without `await`), so a step has two ends: its own, and that of its last descendant. The walk uses the
 * later of the two ends, or the earlier end if the walk is already before the later end. It uses no recursion, because trees can be deeper
 * than the stack.
 */
export function findCriticalPath(forest: StepForest, durationMs: number): CriticalPath {
  return runWithoutPauses(findCriticalPathWork(forest, durationMs));
}

/** Like {@link findCriticalPath}, but can be paused. */
export function* findCriticalPathWork(forest: StepForest, durationMs: number): Work<CriticalPath> {
  const runs = yield* collectRunsWork(forest, durationMs);
  const segments: CriticalSegment[] = [];
  const steps = new Set<StepNode>();
  const collectWaits = (
    below: readonly StepNode[],
    fromMs: number,
    toMs: number,
  ): readonly CriticalSegment[] => {
    const waits = findWaits(below, { runs, fromMs, toMs });
    for (const { node } of waits) steps.add(node);
    return waits;
  };
  const pending = [...collectWaits(forest.roots, 0, durationMs)];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const ownEndMs = runs.get(at.node)?.ownEndMs ?? at.toMs;
    const addOwn = (node: StepNode, fromMs: number, toMs: number) => {
      const until = Math.min(toMs, ownEndMs);
      if (until > fromMs) segments.push({ node, fromMs, toMs: until });
    };
    let cursor = at.toMs;
    for (const wait of collectWaits(at.node.children, at.fromMs, at.toMs)) {
      addOwn(at.node, wait.toMs, cursor);
      cursor = wait.fromMs;
      pending.push(wait);
    }
    addOwn(at.node, at.fromMs, cursor);
    yield;
  }
  segments.sort((a, b) => a.fromMs - b.fromMs);
  const totalMs = segments.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const own = Map.groupBy(segments, ({ node }) => node);
  return { segments, steps, own, totalMs: Math.min(totalMs, Math.max(0, durationMs)) };
}

/** The time range in which a step ran, in milliseconds from the request's start. */
interface Run {
  readonly fromMs: number;
  readonly ownEndMs: number;
  /** The time at which the step and all its descendants had ended. */
  readonly lastEndMs: number;
}

/**
 * Returns when each step ran. Leaves out a step if it and everything below it took no time. Also leaves out a step of repeated calls if the
 * calls fill less than `DENSE` of the time between the first call and the last.
 */
function* collectRunsWork(forest: StepForest, durationMs: number): Work<ReadonlyMap<StepNode, Run>> {
  const topDown = [...forest.roots];
  yield* each(topDown, ({ children }) => {
    for (const child of children) topDown.push(child);
  });
  const runs = new Map<StepNode, Run>();
  yield* each(topDown.toReversed(), (node) => {
    const { fromMs, toMs } = computeExtent(node);
    if (node.step.repeat !== undefined && node.step.duration < (toMs - fromMs) * DENSE) return;
    const ownEndMs = Math.min(toMs, durationMs);
    const lastEndMs = node.children.reduce(
      (last, child) => Math.max(last, runs.get(child)?.lastEndMs ?? last),
      ownEndMs,
    );
    if (lastEndMs > Math.max(0, fromMs)) runs.set(node, { fromMs, ownEndMs, lastEndMs });
  });
  return runs;
}

interface Window extends Stretch {
  readonly runs: ReadonlyMap<StepNode, Run>;
}

/** Returns the siblings that were awaited in sequence within a range, last first. Of two siblings with the same end, uses the longer. */
function findWaits(siblings: readonly StepNode[], { runs, fromMs, toMs }: Window): CriticalSegment[] {
  const candidates = siblings
    .flatMap((node) => {
      const run = runs.get(node);
      if (run === undefined) return [];
      const begin = Math.max(fromMs, run.fromMs);
      const ends = run.lastEndMs > run.ownEndMs ? [run.lastEndMs, run.ownEndMs] : [run.ownEndMs];
      return ends.map((end) => ({ node, fromMs: begin, toMs: end }));
    })
    .sort((a, b) => b.toMs - a.toMs || a.fromMs - b.fromMs);
  const waits: CriticalSegment[] = [];
  let cursor = toMs;
  for (const { node, fromMs: begin, toMs: end } of candidates) {
    if (end > cursor + CLOCK_TOLERANCE_MS) continue;
    const reached = Math.min(end, cursor);
    if (reached <= begin) continue;
    waits.push({ node, fromMs: begin, toMs: reached });
    cursor = begin;
  }
  return waits;
}

/** True if an entry itself took at least a hundredth of the path: less is not worth marking. */
export function isCritical(entry: StepEntry, path: CriticalPath): boolean {
  const ownMs = findCriticalStretches(entry, path).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return ownMs > 0 && ownMs >= path.totalMs * WORTH_A_MARK;
}

/** Returns the ranges in which an entry itself delayed the request. */
export function findCriticalStretches(entry: StepEntry, path: CriticalPath): readonly Stretch[] {
  return listNodes(entry).flatMap((node) => path.own.get(node) ?? []);
}

/** Returns the step whose segment begins next after the given step's first segment, wrapping around. Undefined for an empty path. */
export function nextOnPath({ own }: CriticalPath, after: StepNode | undefined): StepNode | undefined {
  const order = [...own.keys()];
  const index = after === undefined ? -1 : order.indexOf(after);
  return order[(index + 1) % order.length];
}
