import { identifyCall } from '../steps/analysis/call-identity.ts';
import type { StepForest, StepNode } from '../steps/analysis/step-forest.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';
import { each, runWithoutPauses, type Work } from '../work/work.ts';

/** The computation of the flame tree can pause each time it has processed this number of frames. */
const FRAMES_AT_ONCE = 128;

/** Calls of the same function on the same call path: one box of the flame graph. Times are in milliseconds. */
export interface Frame {
  /** The frame's position in {@link FlameTree.all}, which has parents before children. */
  readonly index: number;
  readonly name: string;
  /** The identity of the frame's function; empty for the request itself. */
  readonly identity: string;
  /** The frame's steps in start order; empty for the request itself. */
  readonly nodes: readonly StepNode[];
  readonly parent: Frame | undefined;
  readonly children: readonly Frame[];
  /** The frame's depth; 0 for the request itself. */
  readonly depth: number;
  readonly calls: number;
  /** The sum of the durations of the frame's calls; overlapping calls count separately. */
  readonly totalMs: number;
  /** The sum of the calls' self times, without the time of the functions that the calls called. */
  readonly selfMs: number;
  /** The duration that sets the width of the frame's box: the self time of the frame and of all its descendants, so that children fit. */
  readonly weight: number;
  /** The outcome of a call that threw; `ended` if none threw. */
  readonly outcome: StepOutcome;
}

export interface FlameTree {
  readonly root: Frame;
  readonly all: readonly Frame[];
  /** The frame of each step, by the step's key. */
  readonly framesByStep: ReadonlyMap<string, Frame>;
}

interface Draft {
  index: number;
  name: string;
  identity: string;
  nodes: StepNode[];
  parent: Draft | undefined;
  children: Draft[];
  depth: number;
  calls: number;
  totalMs: number;
  selfMs: number;
  weight: number;
  outcome: StepOutcome;
}

/** Merges a trace's steps by call path. Uses loops instead of recursion, since traces can be deeper than the JavaScript stack. */
export function buildFlameTree(forest: StepForest, requestName: string, durationMs: number): FlameTree {
  return runWithoutPauses(buildFlameTreeWork(forest, requestName, durationMs));
}

/** Like {@link buildFlameTree}, but can be paused. */
export function* buildFlameTreeWork(
  forest: StepForest,
  requestName: string,
  durationMs: number,
): Work<FlameTree> {
  const root = createDraft(requestName, '', undefined);
  root.totalMs = durationMs;
  const all = [root];
  const framesByStep = new Map<string, Draft>();
  for (let index = 0; index < all.length; index += 1) {
    const frame = all[index];
    if (frame === undefined) break;
    frame.index = index;
    const byIdentity = new Map<string, Draft>();
    const add = (node: StepNode) => {
      const identity = identifyCall(node);
      const child = byIdentity.get(identity) ?? createDraft(node.step.stepName, identity, frame);
      byIdentity.set(identity, child);
      addCall(child, node);
      framesByStep.set(node.key, child);
    };
    if (frame === root) yield* each(forest.roots, add);
    else yield* each(frame.nodes, ({ children }) => children.forEach(add));
    yield* each([...byIdentity.values()], (child) => {
      frame.children.push(child);
      all.push(child);
    });
    if (index % FRAMES_AT_ONCE === 0) yield;
  }
  yield* each(all.toReversed(), (frame) => {
    const below = frame.children.reduce((sum, child) => sum + child.weight, 0);
    if (frame === root) frame.selfMs = Math.max(0, durationMs - below);
    frame.weight = frame.selfMs + below;
  });
  if (root.weight === 0) weighByCalls(all);
  return { root, all, framesByStep };
}

function createDraft(name: string, identity: string, parent: Draft | undefined): Draft {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  const none = { calls: 0, totalMs: 0, selfMs: 0, weight: 0 };
  return { index: 0, name, identity, nodes: [], parent, children: [], depth, ...none, outcome: 'ended' };
}

function addCall(frame: Draft, node: StepNode): void {
  frame.nodes.push(node);
  frame.calls += node.step.repeat?.count ?? 1;
  frame.totalMs += node.step.duration;
  frame.selfMs += node.selfMs;
  if (node.outcome !== 'ended') frame.outcome = node.outcome;
}

/** Derives each frame's weight from the numbers of calls. Used if no time was measured. */
function weighByCalls(all: readonly Draft[]): void {
  for (const frame of all.toReversed()) {
    frame.weight = frame.calls + frame.children.reduce((sum, child) => sum + child.weight, 0);
  }
}

/** All calls of a function in the trace, from all callers. */
export interface FunctionTimes {
  /** The function's frame with the most self time. */
  readonly frame: Frame;
  readonly calls: number;
  readonly selfMs: number;
  readonly totalMs: number;
}

/** Returns the functions by self time, largest first. A call within a call of the same function does not add to the total time. */
export function listFunctionTimes(tree: FlameTree): FunctionTimes[] {
  return runWithoutPauses(listFunctionTimesWork(tree));
}

/** Like {@link listFunctionTimes}, but can be paused. */
export function* listFunctionTimesWork(tree: FlameTree): Work<FunctionTimes[]> {
  const times = new Map<string, { frame: Frame; calls: number; selfMs: number; totalMs: number }>();
  // Counts how often each function is on the current call path.
  const open = new Map<string, number>();
  const steps: { readonly frame: Frame; readonly leaving: boolean }[] = [
    { frame: tree.root, leaving: false },
  ];
  for (let at = steps.pop(); at !== undefined; at = steps.pop()) {
    const { frame, leaving } = at;
    const { identity } = frame;
    if (frame.index % FRAMES_AT_ONCE === 0) yield;
    const depth = open.get(identity) ?? 0;
    open.set(identity, leaving ? depth - 1 : depth + 1);
    if (leaving) continue;
    steps.push({ frame, leaving: true });
    for (const child of frame.children) steps.push({ frame: child, leaving: false });
    if (frame === tree.root) continue;
    const known = times.get(identity) ?? { frame, calls: 0, selfMs: 0, totalMs: 0 };
    if (frame.selfMs > known.frame.selfMs) known.frame = frame;
    known.calls += frame.calls;
    known.selfMs += frame.selfMs;
    if (depth === 0) known.totalMs += frame.totalMs;
    times.set(identity, known);
  }
  return [...times.values()].sort((a, b) => b.selfMs - a.selfMs || b.totalMs - a.totalMs);
}

/** Returns the step to select for a frame: its slowest call. */
export function findSlowestCall(frame: Frame): StepNode | undefined {
  let slowest = frame.nodes[0];
  for (const node of frame.nodes) if (node.step.duration > (slowest?.step.duration ?? 0)) slowest = node;
  return slowest;
}
