import type { StepForest, StepNode } from '../../../steps/analysis/step-forest.ts';
import type { StepOutcome } from '../../../steps/step-outcome.ts';
import { each, runWithoutPauses, type Work } from '../../../work/work.ts';
import { identifyFunction } from './function-identity.ts';
import { markLoops } from './mark-loops.ts';

/** A function with all its calls in a request. Times are in milliseconds. */
export interface FunctionCalls {
  readonly id: string;
  /** The first call. The name of its step is the name of the function. */
  readonly first: StepNode;
  /** The function's calls in start order. */
  readonly nodes: readonly StepNode[];
  /** The number of calls; a step can represent several calls. */
  readonly calls: number;
  readonly selfMs: number;
  /** The total time of the function's calls; recursive calls are not counted again. */
  readonly totalMs: number;
  /** The number of calls that threw. */
  readonly thrown: number;
  /** How the calls that threw are shown; `ended` if none threw. */
  readonly outcome: StepOutcome;
  /** The call that took the most time. */
  readonly longest: StepNode;
  /** The depth at which the depth-first walk first reached the function; 0 for a function at which the walk begins. */
  readonly level: number;
  /** The number of recursive calls, direct or through other functions. */
  readonly recursive: number;
}

/** All calls from one function to another. */
export interface CallEdge {
  readonly id: string;
  readonly caller: string;
  readonly callee: string;
  readonly calls: number;
  readonly totalMs: number;
  /**
   * True if the edge leads back to the function itself or to one of its callers. Such an edge is drawn as a mark on the callee instead of
   * an arrow.
   */
  readonly isLoop: boolean;
}

/** The functions of a request and the calls between them. */
export interface CallGraph {
  /** The functions in depth-first order, callers before callees. */
  readonly functions: readonly FunctionCalls[];
  readonly edges: readonly CallEdge[];
  readonly byId: ReadonlyMap<string, FunctionCalls>;
  readonly byStep: ReadonlyMap<StepNode, FunctionCalls>;
  /** The edges of each caller, without loops. The edge with the largest time comes first. */
  readonly callees: ReadonlyMap<string, readonly CallEdge[]>;
  readonly callers: ReadonlyMap<string, readonly CallEdge[]>;
}

/** A {@link FunctionCalls} while its calls are added. */
type FunctionDraft = { -readonly [Key in keyof FunctionCalls]: FunctionCalls[Key] } & { nodes: StepNode[] };
type EdgeDraft = { -readonly [Key in keyof CallEdge]: CallEdge[Key] };

export function buildCallGraph(forest: StepForest): CallGraph {
  return runWithoutPauses(callGraphWork(forest));
}

/** Like {@link buildCallGraph}, but can be paused. */
export function* callGraphWork(forest: StepForest): Work<CallGraph> {
  const { drafts, byStep } = yield* collectFunctionsWork(forest);
  yield* addTotalsWork(forest, byStep);
  const edges = yield* collectEdgesWork(forest, byStep);
  const order = markLoops(
    drafts.map(({ id }) => id),
    edges,
  );
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  for (const { callee, calls, isLoop } of edges) {
    const called = byId.get(callee);
    if (isLoop && called !== undefined) called.recursive += calls;
  }
  const functions = order.flatMap(({ id, level }) => {
    const draft = byId.get(id);
    return draft === undefined ? [] : [Object.assign(draft, { level })];
  });
  const drawn = edges.filter(({ isLoop }) => !isLoop).toSorted((a, b) => b.totalMs - a.totalMs);
  return {
    functions,
    edges,
    byId,
    byStep,
    callees: Map.groupBy(drawn, ({ caller }) => caller),
    callers: Map.groupBy(drawn, ({ callee }) => callee),
  };
}

/** Returns the number of calls that a step represents. */
export function countStepCalls({ step }: StepNode): number {
  return step.repeat?.count ?? 1;
}

function countThrown({ step, outcome }: StepNode): number {
  return step.repeat?.errors ?? (outcome === 'ended' ? 0 : 1);
}

interface Functions {
  readonly drafts: readonly FunctionDraft[];
  readonly byStep: ReadonlyMap<StepNode, FunctionDraft>;
}

function* collectFunctionsWork(forest: StepForest): Work<Functions> {
  const byIdentity = new Map<string, FunctionDraft>();
  const byStep = new Map<StepNode, FunctionDraft>();
  yield* each(forest.all, (node) => {
    const identity = identifyFunction(node);
    let draft = byIdentity.get(identity);
    if (draft === undefined) {
      draft = startFunction(`f${byIdentity.size}`, node);
      byIdentity.set(identity, draft);
    }
    byStep.set(node, draft);
    draft.nodes.push(node);
    draft.calls += countStepCalls(node);
    draft.selfMs += node.selfMs;
    draft.thrown += countThrown(node);
    if (draft.thrown > 0) draft.outcome = forest.thrownAs;
    if (node.step.duration > draft.longest.step.duration) draft.longest = node;
  });
  return { drafts: [...byIdentity.values()], byStep };
}

function startFunction(id: string, first: StepNode): FunctionDraft {
  return {
    id,
    first,
    nodes: [],
    calls: 0,
    selfMs: 0,
    totalMs: 0,
    thrown: 0,
    outcome: 'ended',
    longest: first,
    level: 0,
    recursive: 0,
  };
}

/**
 * Adds up the durations of each function's outermost calls. Uses an explicit stack, since traces can be deeper than JavaScript's call
 * stack.
 */
function* addTotalsWork(forest: StepForest, byStep: ReadonlyMap<StepNode, FunctionDraft>): Work<void> {
  const running = new Map<FunctionDraft, number>();
  const pending = forest.roots.toReversed().map((node) => ({ node, leaving: false }));
  let done = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const called = byStep.get(at.node);
    if (called === undefined) continue;
    const depth = running.get(called) ?? 0;
    running.set(called, at.leaving ? depth - 1 : depth + 1);
    if (at.leaving) continue;
    if (depth === 0) called.totalMs += at.node.step.duration;
    pending.push({ node: at.node, leaving: true });
    for (const child of at.node.children.toReversed()) pending.push({ node: child, leaving: false });
    done += 1;
    if (done % 256 === 0) yield;
  }
}

function* collectEdgesWork(
  forest: StepForest,
  byStep: ReadonlyMap<StepNode, FunctionDraft>,
): Work<readonly EdgeDraft[]> {
  const edges = new Map<string, EdgeDraft>();
  yield* each(forest.all, (node) => {
    const callee = byStep.get(node)?.id;
    const caller = node.parent && byStep.get(node.parent)?.id;
    if (caller === undefined || callee === undefined) return;
    const id = `${caller} ${callee}`;
    const edge = edges.get(id) ?? { id, caller, callee, calls: 0, totalMs: 0, isLoop: false };
    edges.set(id, edge);
    edge.calls += countStepCalls(node);
    edge.totalMs += node.step.duration;
  });
  return [...edges.values()];
}
