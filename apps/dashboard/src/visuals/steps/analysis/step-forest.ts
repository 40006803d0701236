import { instantToMicros, type Step } from '@throughline/contract';
import { atOnce, each, type Work } from '../../work/work.ts';
import { microsAfter } from './micros-after.ts';

/** A step in its place among the others. */
export interface StepNode {
  /** Unique among the trace's steps, even where two came with one id. */
  readonly key: string;
  readonly step: Step;
  /** 1 for the step that started first. */
  readonly number: number;
  /** 0 at the top. */
  readonly depth: number;
  readonly parent: StepNode | undefined;
  /** In start order. */
  readonly children: readonly StepNode[];
  /** Milliseconds from the trace's start to this step's. */
  readonly startMs: number;
  /** Milliseconds spent in the step itself, not in steps below it. */
  readonly selfMs: number;
  /** The number of steps below it, at all levels. */
  readonly below: number;
  /** It, or a step below it, failed. */
  readonly onFailingPath: boolean;
}

/** A trace's steps as a tree. */
export interface StepForest {
  readonly roots: readonly StepNode[];
  /** Every step, in start order. */
  readonly all: readonly StepNode[];
  /** By `stepId`; of several with one id, the first. */
  readonly byId: ReadonlyMap<string, StepNode>;
  readonly byKey: ReadonlyMap<string, StepNode>;
}

interface Draft {
  key: string;
  step: Step;
  number: number;
  depth: number;
  parent: Draft | undefined;
  children: Draft[];
  startMs: number;
  selfMs: number;
  below: number;
  onFailingPath: boolean;
}

/**
 * Builds the tree of a trace's steps. Steps may come in any order and twice; one whose parent is not there, or is (through
 * others) its own child, stands at the top. `startTime` is the trace's.
 */
export function buildStepForest(flow: readonly Step[], startTime: string): StepForest {
  return atOnce(stepForestWork(flow, startTime));
}

/** {@link buildStepForest} in pieces. */
export function* stepForestWork(flow: readonly Step[], startTime: string): Work<StepForest> {
  const all = yield* draftsInStartOrder(flow, startTime);
  const byId = new Map<string, Draft>();
  const byKey = new Map<string, Draft>();
  yield* each(all, (draft) => {
    if (!byId.has(draft.step.stepId)) byId.set(draft.step.stepId, draft);
    byKey.set(draft.key, draft);
  });
  const roots = yield* linkParents(all, byId);
  const topDown = yield* walk(roots);
  yield* each(topDown, (draft) => {
    draft.depth = draft.parent === undefined ? 0 : draft.parent.depth + 1;
  });
  yield* each(topDown.toReversed(), (draft) => {
    draft.selfMs = selfTime(draft);
    draft.below = draft.children.reduce((sum, child) => sum + 1 + child.below, 0);
    draft.onFailingPath = draft.step.error !== null || draft.children.some((child) => child.onFailingPath);
  });
  return { roots, all, byId, byKey };
}

function* draftsInStartOrder(flow: readonly Step[], startTime: string): Work<Draft[]> {
  const after = microsAfter(startTime);
  const timed: { readonly step: Step; readonly startMicros: number }[] = [];
  yield* each(flow, (step) => timed.push({ step, startMicros: after(step.startTime) }));
  timed.sort((a, b) => a.startMicros - b.startMicros || a.step.sequence - b.step.sequence);
  yield;
  const drafts: Draft[] = [];
  const seen = new Set<string>();
  yield* each(timed, ({ step, startMicros }, index) => {
    const key = seen.has(step.stepId) ? `${step.stepId} (${index + 1})` : step.stepId;
    seen.add(step.stepId);
    drafts.push({
      key,
      step,
      number: index + 1,
      depth: 0,
      parent: undefined,
      children: [],
      startMs: startMicros / 1000,
      selfMs: 0,
      below: 0,
      onFailingPath: false,
    });
  });
  return drafts;
}

function* linkParents(all: readonly Draft[], byId: ReadonlyMap<string, Draft>): Work<Draft[]> {
  const roots: Draft[] = [];
  yield* each(all, (draft) => {
    const { parentStepId } = draft.step;
    const parent = parentStepId === null ? undefined : byId.get(parentStepId);
    if (parent === undefined || isSelfOrBelow(parent, draft)) {
      roots.push(draft);
    } else {
      draft.parent = parent;
      parent.children.push(draft);
    }
  });
  return roots;
}

/** True if the parents of `from` lead to `target`: a link from `target` to `from` would close a ring. */
function isSelfOrBelow(from: Draft, target: Draft): boolean {
  // A step with no children yet has nothing below it, which spares deep traces the walk for each step.
  if (from === target) return true;
  if (target.children.length === 0) return false;
  for (let at: Draft | undefined = from; at !== undefined; at = at.parent) if (at === target) return true;
  return false;
}

/** Parents before their children; a loop, since recursion in the host makes trees deeper than a stack. */
function* walk(roots: readonly Draft[]): Work<Draft[]> {
  const order: Draft[] = [...roots];
  yield* each(order, ({ children }) => {
    for (const child of children) order.push(child);
  });
  return order;
}

/** The step's duration less the time that at least one of its children was running. */
function selfTime(draft: Draft): number {
  if (draft.step.repeat !== undefined) return selfTimeOfCalls(draft);
  const end = draft.startMs + draft.step.duration;
  let covered = 0;
  let reached = draft.startMs;
  for (const child of draft.children) {
    const from = Math.max(reached, child.startMs);
    const to = Math.min(end, child.startMs + child.step.duration);
    if (to > from) {
      covered += to - from;
      reached = to;
    }
  }
  return Math.max(0, Math.round((draft.step.duration - covered) * 1000) / 1000);
}

/**
 * Many calls lie spread over more time than they took, or overlap in less: what they called cannot be laid beside them. Never longer than
 * from the first one's start to the last one's end.
 */
function selfTimeOfCalls({ step, children }: Draft): number {
  const [start, end] = [instantToMicros(step.startTime), instantToMicros(step.endTime)];
  const spanMs = start === undefined || end === undefined ? step.duration : Number(end - start) / 1000;
  const below = children.reduce((sum, child) => sum + child.step.duration, 0);
  return Math.max(0, Math.round(Math.min(spanMs, step.duration - below) * 1000) / 1000);
}

/**
 * Where a failed request broke: the step whose own failure the trace reports, else the first in which a failure began
 * (it failed, and nothing below it did). Undefined when no step failed.
 */
export function findFailingStep(forest: StepForest, traceError: string | null): StepNode | undefined {
  const origins = forest.all.filter(
    (node) => node.step.error !== null && !node.children.some((child) => child.onFailingPath),
  );
  return origins.find((node) => node.step.error?.message === traceError) ?? origins[0];
}

/** The failed step after the given one in start order, round and round. */
export function findNextError(forest: StepForest, after: StepNode | undefined): StepNode | undefined {
  const failed = forest.all.filter((node) => node.step.error !== null);
  return failed.find((node) => node.number > (after?.number ?? 0)) ?? failed[0];
}
