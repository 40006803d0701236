import { atOnce, each, type Work } from '../../work/work.ts';
import { listNodes, type StepEntry } from './fold-repeats.ts';
import { computeExtent, type Stretch } from './step-extent.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** A stretch of time in which a step itself, and no step below it, held the request up. Milliseconds from the trace's start. */
export interface CriticalSegment extends Stretch {
  readonly node: StepNode;
}

/** The segments that decided when the request ended: a faster step elsewhere would not have ended it sooner. */
export interface CriticalPath {
  /** In time order; none overlaps another. */
  readonly segments: readonly CriticalSegment[];
  /** The steps that lie on it, themselves or by a step below them. */
  readonly steps: ReadonlySet<StepNode>;
  /** Each step's own segments. */
  readonly own: ReadonlyMap<StepNode, readonly CriticalSegment[]>;
  /** The duration of all segments; never more than the request took. Milliseconds. */
  readonly totalMs: number;
}

/** Clocks read in µs may show a step as ended this much after the one that followed it began. Milliseconds. */
const CLOCK_TOLERANCE_MS = 0.005;
/** Calls put together in one step count as one stretch where they fill this share of the time from the first to the last. */
const DENSE = 0.5;
const WORTH_A_MARK = 0.01;

/**
 * Walks back from the request's end: the step that ended last is what was waited for, before that the one that ended last before it began, and
 * so on down. A step whose callees go on after it (a promise that is not awaited, a callback) counts until the last of them ends, and its caller
 * waited for either that or the step's own end, whichever came last before the path goes on. Nothing counts beyond the request. Loops, since
 * recursion in the host makes trees deeper than a stack.
 */
export function findCriticalPath(forest: StepForest, durationMs: number): CriticalPath {
  return atOnce(criticalPathWork(forest, durationMs));
}

/** {@link findCriticalPath} in pieces. */
export function* criticalPathWork(forest: StepForest, durationMs: number): Work<CriticalPath> {
  const runs = yield* runsWork(forest, durationMs);
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

/** When a step ran, within the request. Milliseconds. */
interface Run {
  readonly fromMs: number;
  readonly ownEndMs: number;
  /** When the last of the step and all below it ended. */
  readonly lastEndMs: number;
}

/** All steps but those that took no time, and calls put together in one step that are scattered over much more time than they took. */
function* runsWork(forest: StepForest, durationMs: number): Work<ReadonlyMap<StepNode, Run>> {
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

/** The siblings that were awaited in sequence within a range, last first. Of two that ended together, the longer. */
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

/** True if an entry itself took at least a hundredth of the path: less is not worth a mark. */
export function isCritical(entry: StepEntry, path: CriticalPath): boolean {
  const ownMs = criticalStretches(entry, path).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return ownMs > 0 && ownMs >= path.totalMs * WORTH_A_MARK;
}

/** When an entry itself held the request up. */
export function criticalStretches(entry: StepEntry, path: CriticalPath): readonly Stretch[] {
  return listNodes(entry).flatMap((node) => path.own.get(node) ?? []);
}

/** The step whose stretch of the path begins next after the given one's first, round and round. Undefined for an empty path. */
export function nextOnPath({ own }: CriticalPath, after: StepNode | undefined): StepNode | undefined {
  const order = [...own.keys()];
  const index = after === undefined ? -1 : order.indexOf(after);
  return order[(index + 1) % order.length];
}
