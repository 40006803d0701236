import type { StepNode } from '../../../steps/analysis/step-forest.ts';
import type { CallEdge, CallGraph, FunctionCalls } from './call-graph.ts';

/** The functions that the graph opens on. */
export interface OpeningPath {
  readonly kind: 'failing' | 'hottest';
  /** The call at its end: the one that threw, or the longest of the function with the most self time. */
  readonly call: StepNode;
  /** From the function that the request began with. */
  readonly path: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  /** The other functions that the last one's caller called. */
  readonly siblings: ReadonlySet<string>;
}

/** The way to where the request failed, else to the function with the most self time. Undefined without steps. */
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

/** A call behind its callers, the outermost first. */
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

/** Finds the item with the largest size, the first of several. */
function findLargest<Item>(items: readonly Item[], getSize: (item: Item) => number): Item | undefined {
  let largest: Item | undefined;
  for (const item of items) if (largest === undefined || getSize(item) > getSize(largest)) largest = item;
  return largest;
}
