import { atOnce, type Work } from '../work/work.ts';
import { nodesOf, type StepEntry } from './fold-repeats.ts';
import { extentOf, type Stretch } from './step-extent.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** A stretch of time in which a step itself, and no step below it, held the request up. Milliseconds from the trace's start. */
export interface CriticalSegment extends Stretch {
  readonly node: StepNode;
}

/** What decided when the request ended: making anything else faster would not have ended it sooner. */
export interface CriticalPath {
  /** In time order; none overlaps another. */
  readonly segments: readonly CriticalSegment[];
  /** The steps that lie on it, themselves or by a step below them. */
  readonly steps: ReadonlySet<StepNode>;
  /** Each step's own segments. */
  readonly own: ReadonlyMap<StepNode, readonly CriticalSegment[]>;
  /** Of all segments together; never more than the request took. Milliseconds. */
  readonly totalMs: number;
}

/** Clocks read in µs may show a step as ended this much after the one that followed it began. Milliseconds. */
const CLOCK_TOLERANCE_MS = 0.005;
/** Calls put together in one step count as one stretch where they fill this share of the time from the first to the last. */
const DENSE = 0.5;
const WORTH_A_MARK = 0.01;

/**
 * Walks back from the request's end: whichever step below ended last is what was waited for, before that the one that ended last before
 * it began, and so on down. Steps that reach beyond their caller or the request count only within them. A loop, since recursion in the
 * host makes trees deeper than a stack.
 */
export function findCriticalPath(forest: StepForest, durationMs: number): CriticalPath {
  return atOnce(criticalPathWork(forest, durationMs));
}

/** {@link findCriticalPath} in pieces. */
export function* criticalPathWork(forest: StepForest, durationMs: number): Work<CriticalPath> {
  const segments: CriticalSegment[] = [];
  const steps = new Set<StepNode>();
  const waitsOf = (below: readonly StepNode[], fromMs: number, toMs: number): readonly CriticalSegment[] => {
    const waits = waitedFor(below, fromMs, toMs);
    for (const { node } of waits) steps.add(node);
    return waits;
  };
  const pending = [...waitsOf(forest.roots, 0, durationMs)];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    let cursor = at.toMs;
    for (const wait of waitsOf(at.node.children, at.fromMs, at.toMs)) {
      if (cursor > wait.toMs) segments.push({ node: at.node, fromMs: wait.toMs, toMs: cursor });
      cursor = wait.fromMs;
      pending.push(wait);
    }
    if (cursor > at.fromMs) segments.push({ node: at.node, fromMs: at.fromMs, toMs: cursor });
    yield;
  }
  segments.sort((a, b) => a.fromMs - b.fromMs);
  const totalMs = segments.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const own = Map.groupBy(segments, ({ node }) => node);
  return { segments, steps, own, totalMs: Math.min(totalMs, Math.max(0, durationMs)) };
}

/** Of siblings, those that were waited for one after the other within a stretch, last first. Of two that ended together, the longer. */
function waitedFor(siblings: readonly StepNode[], fromMs: number, toMs: number): CriticalSegment[] {
  const candidates = siblings
    .map((node) => within(node, fromMs, toMs))
    .filter((stretch) => stretch !== undefined)
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

function within(node: StepNode, fromMs: number, toMs: number): CriticalSegment | undefined {
  const extent = extentOf(node);
  const spanMs = extent.toMs - extent.fromMs;
  if (node.step.repeat !== undefined && node.step.duration < spanMs * DENSE) return undefined;
  const begin = Math.max(fromMs, extent.fromMs);
  const end = Math.min(toMs, extent.toMs);
  return end > begin ? { node, fromMs: begin, toMs: end } : undefined;
}

/** Whether an entry itself held the request up by at least a hundredth of the path: the rest is not worth a mark. */
export function isCritical(entry: StepEntry, path: CriticalPath): boolean {
  const ownMs = criticalStretches(entry, path).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return ownMs > 0 && ownMs >= path.totalMs * WORTH_A_MARK;
}

/** When an entry itself held the request up. */
export function criticalStretches(entry: StepEntry, path: CriticalPath): readonly Stretch[] {
  return nodesOf(entry).flatMap((node) => path.own.get(node) ?? []);
}

/** The step whose stretch of the path begins next after the given one's first, round and round. Undefined for an empty path. */
export function nextOnPath({ own }: CriticalPath, after: StepNode | undefined): StepNode | undefined {
  const order = [...own.keys()];
  const index = after === undefined ? -1 : order.indexOf(after);
  return order[(index + 1) % order.length];
}
