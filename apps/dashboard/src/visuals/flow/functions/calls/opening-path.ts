import type { StepNode } from '../../../steps/analysis/step-forest.ts';
import type { CallEdge, CallGraph, FunctionCalls } from './call-graph.ts';

/** The functions that the graph shows at first. */
export interface OpeningPath {
  readonly kind: 'failing' | 'hottest';
  /** The last call of the path: the call that threw, or the longest call of the function with the most self time. */
  readonly call: StepNode;
  /** The functions of the path. The path begins with the first function that the request called. */
  readonly path: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  /** The other functions called by the same caller as the path's last function. */
  readonly siblings: ReadonlySet<string>;
}

/**
 * Finds the path to the call where the request failed, otherwise to the function with the most self time. Returns undefined if there are no
 * steps.
 */
export function findOpeningPath(graph: CallGraph, failing: StepNode | undefined): OpeningPath | undefined {
  const call = failing ?? findHottestCall(graph);
  const last = call && graph.byStep.get(call);
  if (call === undefined || last === undefined) return undefined;
  const kind = failing === undefined ? 'hottest' : 'failing';
  const calls = listCallers(call);
  const ids = calls.flatMap((each) => graph.byStep.get(each)?.id ?? []);
  const edges = new Set(ids.slice(1).map((id, index) => `${ids[index]} ${id}`));
  return { kind, call, path: new Set(ids), edges, siblings: findSiblings(graph, last, ids.at(-2)) };
}

/** Lists the callers of a call, outermost first, followed by the call itself. */
function listCallers(call: StepNode): StepNode[] {
  const calls: StepNode[] = [];
  for (let at: StepNode | undefined = call; at !== undefined; at = at.parent) calls.push(at);
  return calls.reverse();
}

function findHottestCall({ functions }: CallGraph): StepNode | undefined {
  const hottest = findLargest(functions, ({ selfMs }) => selfMs);
  return hottest && findLargest(hottest.nodes, ({ selfMs }) => selfMs);
}

function findSiblings(graph: CallGraph, last: FunctionCalls, caller: string | undefined): Set<string> {
  const called: readonly Pick<CallEdge, 'callee'>[] =
    caller === undefined
      ? graph.functions.filter(({ level }) => level === 0).map(({ id }) => ({ callee: id }))
      : (graph.callees.get(caller) ?? []);
  return new Set(called.map(({ callee }) => callee).filter((id) => id !== last.id));
}

/** Finds the item with the largest size; of several equal items the first. */
function findLargest<Item>(items: readonly Item[], getSize: (item: Item) => number): Item | undefined {
  let largest: Item | undefined;
  for (const item of items) if (largest === undefined || getSize(item) > getSize(largest)) largest = item;
  return largest;
}
