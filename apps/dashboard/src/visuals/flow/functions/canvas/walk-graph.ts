import type { CallGraph } from '../calls/call-graph.ts';
import type { OpeningPath } from '../calls/opening-path.ts';
import type { CardPlaces } from '../layout/layout-types.ts';

export type WalkKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home';

const WALK_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home']);

export function isWalkKey(key: string): key is WalkKey {
  return WALK_KEYS.has(key);
}

/** The graph on the page, and the places of its cards. */
export interface WalkedGraph {
  readonly graph: CallGraph;
  readonly places: CardPlaces;
  readonly opening: OpeningPath | undefined;
}

/**
 * Finds the function that a key selects: up to the caller, down to a callee, sideways among the caller's other callees, Home to the first
 * function.
 */
export function findWalkTarget(
  { graph, places, opening }: WalkedGraph,
  from: string,
  key: WalkKey,
): string | undefined {
  const isDrawn = (id: string) => places.has(id);
  /** Chooses the function on the opening path; if there is none, the first of `ids`. Callers and callees with more time come first. */
  const choose = (ids: readonly string[]) => ids.find((id) => opening?.path.has(id)) ?? ids[0];
  const callers = (graph.callers.get(from) ?? []).map(({ caller }) => caller).filter(isDrawn);
  switch (key) {
    case 'Home': {
      const first = graph.functions.filter(({ id, level }) => level === 0 && isDrawn(id)).map(({ id }) => id);
      return choose(first);
    }
    case 'ArrowUp':
      return choose(callers);
    case 'ArrowDown':
      return choose((graph.callees.get(from) ?? []).map(({ callee }) => callee).filter(isDrawn));
    default: {
      const siblings = listSiblings(graph, choose(callers)).filter(isDrawn);
      const ordered = sortByPlace(siblings, places);
      return ordered[ordered.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)];
    }
  }
}

function listSiblings(graph: CallGraph, caller: string | undefined): readonly string[] {
  return caller === undefined
    ? graph.functions.filter(({ id }) => !graph.callers.has(id)).map(({ id }) => id)
    : (graph.callees.get(caller) ?? []).map(({ callee }) => callee);
}

/** Sorts functions by row, then from left to right. */
function sortByPlace(ids: readonly string[], places: CardPlaces): string[] {
  const at = (id: string) => places.get(id) ?? { x: 0, y: 0 };
  return ids.toSorted((a, b) => at(a).y - at(b).y || at(a).x - at(b).x);
}
