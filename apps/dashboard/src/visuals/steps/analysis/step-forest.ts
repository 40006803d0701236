import type { Step, Trace } from '@throughline/contract';
import { each, runWithoutPauses, type Work } from '../../work/work.ts';
import { decideThrownAs, findOutcome, type StepOutcome, type ThrownAs } from '../step-outcome.ts';
import { createMicrosAfter } from './micros-after.ts';

/** A step with its position in the tree. */
export interface StepNode {
  /** Unique among the trace's steps, even if two steps arrived with the same id. */
  readonly key: string;
  readonly step: Step;
  /** 1 for the step that started first. */
  readonly number: number;
  /** 0 for a root step. */
  readonly depth: number;
  readonly parent: StepNode | undefined;
  /** The children in start order. */
  readonly children: readonly StepNode[];
  /** The step's start, in milliseconds from the trace's start. */
  readonly startMs: number;
  /**
   * The step's end. Later than the start plus the duration if the step had pauses: a generator pauses at each `yield`, and repeated calls can
   * have time between them.
   */
  readonly endMs: number;
  /** Milliseconds spent in the step itself, not in its descendants. */
  readonly selfMs: number;
  /** The number of descendants. */
  readonly below: number;
  readonly outcome: StepOutcome;
  /** True if the step or one of its descendants threw. */
  readonly onFailingPath: boolean;
}

/** A trace's steps as a tree. */
export interface StepForest {
  readonly roots: readonly StepNode[];
  /** All steps in start order. */
  readonly all: readonly StepNode[];
  /** The steps by `stepId`; of several steps with the same id, the first. */
  readonly byId: ReadonlyMap<string, StepNode>;
  readonly byKey: ReadonlyMap<string, StepNode>;
  /** The outcome of all steps that threw. */
  readonly thrownAs: ThrownAs;
}

/** The parts of a trace that decide the tree of its steps and their outcomes. */
export interface StepsOfTrace {
  readonly flow: readonly Step[];
  readonly timing: Pick<Trace['timing'], 'startTime'>;
  readonly response: Pick<Trace['response'], 'statusCode'>;
  readonly error: Pick<Trace['error'], 'hasError'>;
}

interface Draft {
  key: string;
  step: Step;
  number: number;
  depth: number;
  parent: Draft | undefined;
  children: Draft[];
  startMs: number;
  endMs: number;
  selfMs: number;
  below: number;
  outcome: StepOutcome;
  onFailingPath: boolean;
}

/**
 * Builds the tree of a trace's steps. Steps may arrive in any order and twice; a step becomes a root if its parent is missing or is one of
 * its own descendants.
 */
export function buildStepForest(trace: StepsOfTrace): StepForest {
  return runWithoutPauses(stepForestWork(trace));
}

/** Like {@link buildStepForest}, but can be paused. */
export function* stepForestWork(trace: StepsOfTrace): Work<StepForest> {
  const thrownAs = decideThrownAs(trace);
  const all = yield* buildDrafts(trace, thrownAs);
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
    draft.selfMs = computeSelfTime(draft);
    draft.below = draft.children.reduce((sum, child) => sum + 1 + child.below, 0);
    draft.onFailingPath = draft.step.error !== null || draft.children.some((child) => child.onFailingPath);
  });
  return { roots, all, byId, byKey, thrownAs };
}

function* buildDrafts({ flow, timing }: StepsOfTrace, thrownAs: ThrownAs): Work<Draft[]> {
  const after = createMicrosAfter(timing.startTime);
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
      endMs: findEndMs(step, startMicros, after(step.endTime)),
      selfMs: 0,
      below: 0,
      outcome: findOutcome(step, thrownAs),
      onFailingPath: false,
    });
  });
  return drafts;
}

/** Start and end are each rounded to microseconds, so the time between them can differ from the duration by nearly this number. */
const ROUNDED_MICROS = 2;

function findEndMs({ duration, repeat }: Step, startMicros: number, endMicros: number): number {
  const isLonger = endMicros - startMicros > duration * 1000 + ROUNDED_MICROS;
  if (repeat !== undefined || isLonger) return Math.max(startMicros, endMicros) / 1000;
  return startMicros / 1000 + duration;
}

/** True if it is unknown at which times between its start and its end the step ran. */
export function hasPauses({ step, startMs, endMs }: Pick<StepNode, 'step' | 'startMs' | 'endMs'>): boolean {
  return step.repeat !== undefined || endMs > startMs + step.duration;
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

/** True if `target` is `from` or one of its ancestors: a link from `target` to `from` would then close a cycle. */
function isSelfOrBelow(from: Draft, target: Draft): boolean {
  // If `target` has no children, `from` cannot be below it. This check avoids the walk up to the root for each step of a deep trace.
  if (from === target) return true;
  if (target.children.length === 0) return false;
  for (let at: Draft | undefined = from; at !== undefined; at = at.parent) if (at === target) return true;
  return false;
}

/** Returns parents before children. Uses a loop, since recursion in the host application makes trees deeper than the JavaScript stack. */
function* walk(roots: readonly Draft[]): Work<Draft[]> {
  const order: Draft[] = [...roots];
  yield* each(order, ({ children }) => {
    for (const child of children) order.push(child);
  });
  return order;
}

/**
 * Returns the step's duration without the time in which at least one child was running. A child with pauses can have run at any time between
 * its start and its end at which no other child ran.
 */
function computeSelfTime(draft: Draft): number {
  if (hasPauses(draft)) return computeSelfTimeWithPauses(draft);
  const paused = draft.children.filter(hasPauses);
  let covered = measureCovered(
    draft,
    paused.length === 0 ? draft.children : draft.children.filter((child) => !hasPauses(child)),
  );
  if (paused.length > 0) {
    const ran = paused.reduce((sum, child) => sum + child.step.duration, 0);
    covered = Math.min(covered + ran, measureCovered(draft, draft.children));
  }
  return Math.max(0, Math.round((draft.step.duration - covered) * 1000) / 1000);
}

/** Returns how much of a step's time is between the start and the end of at least one of the given children, which are in start order. */
function measureCovered({ startMs, endMs }: Draft, children: readonly Draft[]): number {
  let covered = 0;
  let reached = startMs;
  for (const child of children) {
    const from = Math.max(reached, child.startMs);
    const to = Math.min(endMs, child.endMs);
    if (to > from) {
      covered += to - from;
      reached = to;
    }
  }
  return covered;
}

/**
 * For a step with pauses or repeated calls, it is unknown when the step ran and when it paused, so its children cannot be placed within it.
 * The self time is therefore the step's duration minus the children's durations, and at most the time from the step's start to its end.
 */
function computeSelfTimeWithPauses({ step, children, startMs, endMs }: Draft): number {
  const below = children.reduce((sum, child) => sum + child.step.duration, 0);
  return Math.max(0, Math.round(Math.min(endMs - startMs, step.duration - below) * 1000) / 1000);
}

/**
 * Finds the step in which the error of a failed request began. Considers the steps that threw and have no descendant that threw. Returns
 * the step with the error message that the trace reports, otherwise the first step. Returns undefined if no step threw.
 */
export function findFailingStep(forest: StepForest, traceError: string | null): StepNode | undefined {
  const origins = forest.all.filter(
    (node) => node.step.error !== null && !node.children.some((child) => child.onFailingPath),
  );
  return origins.find((node) => node.step.error?.message === traceError) ?? origins[0];
}

/** Finds the next step that threw in start order, wrapping around. */
export function findNextError(forest: StepForest, after: StepNode | undefined): StepNode | undefined {
  const thrown = forest.all.filter(({ outcome }) => outcome !== 'ended');
  return thrown.find((node) => node.number > (after?.number ?? 0)) ?? thrown[0];
}
