interface LoopEdge {
  readonly caller: string;
  readonly callee: string;
  isLoop: boolean;
}

/** A function in the order of a walk from callers to callees. */
interface Visited {
  readonly id: string;
  readonly level: number;
}

/**
 * Marks the edges that lead back to the function itself or to a caller on the way, so that the others form no ring. Gives the functions in the
 * order of the walk. `ids` are in the order of the first calls, which begins with what the request began with.
 */
export function markLoops(ids: readonly string[], edges: readonly LoopEdge[]): Visited[] {
  const callees = Map.groupBy(edges, ({ caller }) => caller);
  const called = new Set(edges.filter(({ caller, callee }) => caller !== callee).map(({ callee }) => callee));
  const order: Visited[] = [];
  const state = new Map<string, 'open' | 'done'>();
  // A ring that nothing else calls has no beginning of its own, so all functions follow.
  for (const id of [...ids.filter((each) => !called.has(each)), ...ids]) {
    if (state.has(id)) continue;
    const stack = [{ id, next: 0 }];
    state.set(id, 'open');
    order.push({ id, level: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = callees.get(top.id)?.[top.next];
      top.next += 1;
      if (edge === undefined) {
        state.set(top.id, 'done');
        stack.pop();
      } else if (state.get(edge.callee) === 'open') {
        edge.isLoop = true;
      } else if (!state.has(edge.callee)) {
        state.set(edge.callee, 'open');
        order.push({ id: edge.callee, level: stack.length });
        stack.push({ id: edge.callee, next: 0 });
      }
    }
  }
  return order;
}
