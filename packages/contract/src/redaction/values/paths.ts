/** One segment in the paths of a project's own rules, with the segments that can follow it. */
export interface PathNode {
  /** True if a rule's path ends at this segment, so that the value there is hidden. */
  ends: boolean;
  readonly next: Map<string, PathNode>;
}

const makeNode = (): PathNode => ({ ends: false, next: new Map() });
const ANY = '*';

/** Builds a tree of the paths' segments; undefined if there are no paths. */
export function buildPathTree(paths: readonly string[]): PathNode | undefined {
  if (paths.length === 0) return undefined;
  const root = makeNode();
  for (const path of paths) {
    let node = root;
    for (const segment of path.split('.')) {
      const next = node.next.get(segment) ?? makeNode();
      node.next.set(segment, next);
      node = next;
    }
    node.ends = true;
  }
  return root;
}

/** Returns the nodes that `segment` reaches from the given nodes. Returns undefined if no rule's path continues with the segment. */
export function advance(
  nodes: readonly PathNode[] | undefined,
  segment: string,
): readonly PathNode[] | undefined {
  if (nodes === undefined) return undefined;
  const reached: PathNode[] = [];
  for (const node of nodes) {
    const exact = node.next.get(segment);
    if (exact !== undefined) reached.push(exact);
    const any = segment === ANY ? undefined : node.next.get(ANY);
    if (any !== undefined) reached.push(any);
  }
  return reached.length === 0 ? undefined : reached;
}

/** Nodes of the rule paths that match the value's path so far. */
export type Nodes = readonly PathNode[] | undefined;

/** True if a rule's path ends at one of the nodes, so that the value there is hidden. */
export function ends(nodes: Nodes): boolean {
  return nodes?.some((node) => node.ends) ?? false;
}
