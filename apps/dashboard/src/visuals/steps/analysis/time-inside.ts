import { each, type Work } from '../../work/work.ts';
import { identifyCall } from './call-identity.ts';
import { computeExtent } from './step-extent.ts';
import type { StepNode } from './step-forest.ts';

/** The self time of a function's calls. */
export interface FunctionShare {
  /** The call with the most self time. */
  readonly longest: StepNode;
  readonly calls: number;
  readonly selfMs: number;
}

/** Adds up the self time of steps and their descendants by function, largest first. */
export function* timeInsideWork(nodes: readonly StepNode[]): Work<FunctionShare[]> {
  const shares = new Map<string, { longest: StepNode; calls: number; selfMs: number }>();
  const all = [...nodes];
  yield* each(all, (node) => {
    for (const child of node.children) all.push(child);
    const identity = identifyCall(node);
    const share = shares.get(identity) ?? { longest: node, calls: 0, selfMs: 0 };
    shares.set(identity, share);
    share.calls += node.step.repeat?.count ?? 1;
    share.selfMs += node.selfMs;
    if (node.selfMs > share.longest.selfMs) share.longest = node;
  });
  return [...shares.values()].sort((a, b) => b.selfMs - a.selfMs);
}

/** Returns the time within the request in which at least one of the steps was running. Milliseconds. */
export function measureBusyTime(nodes: readonly StepNode[], durationMs: number): number {
  let [busy, reached] = [0, 0];
  for (const { fromMs, toMs } of nodes.map(computeExtent).sort((a, b) => a.fromMs - b.fromMs)) {
    const end = Math.min(toMs, durationMs);
    busy += Math.max(0, end - Math.max(fromMs, reached));
    reached = Math.max(reached, end);
  }
  return busy;
}
