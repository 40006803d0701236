import type { LayoutEdge } from '../layout/layout-types.ts';
import type { CallLayoutInput } from '../layout/use-call-layout.ts';
import type { CallEdge, CallGraph, FunctionCalls } from './call-graph.ts';
import type { Grouping } from './name-lane.ts';
import { nameLane } from './name-lane.ts';
import type { OpeningPath } from './opening-path.ts';

/** More functions are unreadable in a graph, and their layout takes too long. */
const MAX_DRAWN = 2000;

export type DrawnEdge = CallEdge & LayoutEdge;

/** The functions and calls that are drawn. */
export interface DrawnCalls extends CallLayoutInput {
  readonly edges: readonly DrawnEdge[];
  readonly graph: CallGraph;
  readonly shown: readonly FunctionCalls[];
  readonly opening: OpeningPath | undefined;
  /** The number of functions left out because there are too many. */
  readonly hidden: number;
}

interface DrawnOptions {
  readonly opening: OpeningPath | undefined;
  readonly grouping: Grouping;
  /** The name of the service that received the request. */
  readonly service: string;
  /** The ids of functions that are drawn even if the graph has more than `MAX_DRAWN` functions. */
  readonly wanted: Iterable<string>;
}

/**
 * Selects the functions to draw. If there are too many, selects the wanted functions, the functions of the opening path, and the functions
 * with the most time.
 */
export function selectDrawn(
  graph: CallGraph,
  { opening, grouping, service, wanted }: DrawnOptions,
): DrawnCalls {
  const shown = limitFunctions(graph, [...(opening?.path ?? []), ...wanted]);
  const ids = new Set(shown.map(({ id }) => id));
  return {
    graph,
    shown,
    opening,
    hidden: graph.functions.length - shown.length,
    functions: shown.map(({ id, first }) => ({
      id,
      lane: grouping === 'none' ? undefined : nameLane(first.step, grouping, service),
      apart: opening?.path.has(id) ?? false,
    })),
    edges: [...graph.callees.values()]
      .flat()
      .filter(({ caller, callee }) => ids.has(caller) && ids.has(callee))
      .sort((a, b) => b.totalMs - a.totalMs)
      .map((edge) => ({
        ...edge,
        labelled: isLabelled(graph, edge.callee),
        isStraight: opening?.edges.has(edge.id) ?? false,
      })),
  };
}

/**
 * True if the arrow needs a label of its own, because the number and time of calls on the callee's card also include calls by other
 * callers or recursive calls.
 */
function isLabelled({ callers, byId }: CallGraph, callee: string): boolean {
  return (callers.get(callee)?.length ?? 0) > 1 || (byId.get(callee)?.recursive ?? 0) > 0;
}

/** True if the graph has more functions than are drawn. */
export function isLimited({ functions }: CallGraph): boolean {
  return functions.length > MAX_DRAWN;
}

function limitFunctions(graph: CallGraph, wanted: readonly string[]): readonly FunctionCalls[] {
  if (!isLimited(graph)) return graph.functions;
  const largest = graph.functions.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, MAX_DRAWN);
  const kept = new Set([...largest.map(({ id }) => id), ...wanted]);
  return graph.functions.filter(({ id }) => kept.has(id));
}
