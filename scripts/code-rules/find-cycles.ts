/**
 * Finds the cycles of a graph, each as the list of its nodes. Uses Tarjan's algorithm: a cycle is a group of nodes that can all reach each
 * other, or a node with an edge to itself.
 */
export function findCycles(edges: ReadonlyMap<string, Iterable<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    let lowest = own;
    stack.push(node);
    for (const to of edges.get(node) ?? []) {
      if (!edges.has(to)) continue;
      if (to === node) cycles.push([node]);
      else if (!index.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, index.get(to) ?? own);
    }
    low.set(node, lowest);
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) cycles.push(group);
    }
    return lowest;
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return cycles;
}
