import type { StepNode } from '../../../steps/analysis/step-forest.ts';
import type { CallGraph } from '../calls/call-graph.ts';

/** A place that has the followed value: a value of a step, or a part of the request or response. */
export interface PathPlace {
  /** The place's number in the path, in time order; the first place has number 1. */
  readonly number: number;
  readonly at: StepNode | 'request' | 'response';
  /** True for a value that the step received, such as an argument. */
  readonly isReceived: boolean;
  /** The kind and the name of the value, such as `parameter order.country`. */
  readonly what: string;
  /** The name of the value alone. */
  readonly name: string;
  /** How it is known that the place has the followed value. */
  readonly how: string;
  /** The larger the number, the less certain is `how`. */
  readonly doubt: number;
}

/** The passing of the value from one place of the path to another place, in another function. */
export interface ValuePass {
  readonly giver: PathPlace;
  readonly receiver: PathPlace;
  /**
   * True if a call between the two functions can have passed the value, as an argument or as a result. False if the receiver is known only
   * to be later in time.
   */
  readonly isPassed: boolean;
}

/** All passes from one function to another. */
export interface ValueEdge {
  readonly id: string;
  /** The id of the function that passes the value; undefined if the value comes from the request. */
  readonly from: string | undefined;
  /** The id of the function that receives the value; undefined if the response receives it. */
  readonly to: string | undefined;
  readonly passes: readonly ValuePass[];
}

/** The path of the followed value through the functions of a request. */
export interface ValuePath {
  /** The numbers of the places that belong to each function. */
  readonly functions: ReadonlyMap<string, readonly number[]>;
  readonly edges: readonly ValueEdge[];
}

/** Finds the functions that have the followed value, and from which function each function got the value. `places` are in time order. */
export function findValuePath(graph: CallGraph, places: readonly PathPlace[]): ValuePath {
  const functions = new Map<string, number[]>();
  const edges = new Map<string, ValueEdge & { readonly passes: ValuePass[] }>();
  for (const [index, receiver] of places.entries()) {
    const to = findFunction(graph, receiver);
    if (to !== undefined) functions.set(to, [...(functions.get(to) ?? []), receiver.number]);
    const pass = findPass(receiver, places.slice(0, index));
    const from = pass && findFunction(graph, pass.giver);
    if (pass === undefined || from === to) continue;
    const id = `${from ?? 'request'} ${to ?? 'response'}`;
    const edge = edges.get(id) ?? { id, from, to, passes: [] };
    edges.set(id, edge);
    edge.passes.push(pass);
  }
  return { functions, edges: [...edges.values()] };
}

function findFunction({ byStep }: CallGraph, { at }: PathPlace): string | undefined {
  return typeof at === 'string' ? undefined : byStep.get(at)?.id;
}

function findPass(receiver: PathPlace, earlier: readonly PathPlace[]): ValuePass | undefined {
  const { at } = receiver;
  if (at === 'request') return undefined;
  if (at !== 'response') {
    const giver = receiver.isReceived ? findCaller(at, earlier) : findCallee(at, earlier);
    if (giver !== undefined) return { giver, receiver, isPassed: true };
  }
  const last = earlier.findLast((place) => place.at !== 'response');
  return last && { giver: last, receiver, isPassed: last.at === 'request' };
}

/** Finds the last of the `earlier` places that is in the step itself or, if there is none, in the nearest caller that has a place. */
function findCaller(step: StepNode, earlier: readonly PathPlace[]): PathPlace | undefined {
  for (let at: StepNode | undefined = step; at !== undefined; at = at.parent) {
    const found = earlier.findLast((place) => place.at === at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the last of the `earlier` places that is in the step itself, or is a result of a call below the step. */
function findCallee(step: StepNode, earlier: readonly PathPlace[]): PathPlace | undefined {
  return earlier.findLast(
    ({ at, isReceived }) => typeof at !== 'string' && (at === step || (!isReceived && isBelow(at, step))),
  );
}

function isBelow(step: StepNode, top: StepNode): boolean {
  let at: StepNode | undefined = step;
  while (at !== undefined && at.depth > top.depth) at = at.parent;
  return at === top;
}
