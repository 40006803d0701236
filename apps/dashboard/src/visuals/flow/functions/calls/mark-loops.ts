interface LoopEdge {
  readonly caller: string;
  readonly callee: string;
  isLoop: boolean;
}

/** A visited function. `level` is the number of calls between it and the function at which the walk began. */
interface Visited {
  readonly id: string;
  readonly level: number;
}

/**
 * Marks the edges that lead back to the function itself or to one of its callers, so that the other edges form no cycle. Returns the
 * functions in depth-first order, starting with functions without callers. `ids` are in the order of the first calls.
 */
export function markLoops(ids: readonly string[], edges: readonly LoopEdge[]): Visited[] {
  const callees = Map.groupBy(edges, ({ caller }) => caller);
  const called = new Set(edges.filter(({ caller, callee }) => caller !== callee).map(({ callee }) => callee));
  const order: Visited[] = [];
  const state = new Map<string, 'open' | 'done'>();
  // In a cycle that no outside function calls, every function has a caller. The walk therefore also begins at functions with callers.
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
