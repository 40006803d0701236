/** One segment of the paths that a project's own rules name, and what may follow it. */
export interface PathNode {
  /** A path ends here: what stands at it is taken out. */
  ends: boolean;
  readonly next: Map<string, PathNode>;
}

const makeNode = (): PathNode => ({ ends: false, next: new Map() });
const ANY = '*';

/** The paths as one tree, by their segments; undefined when there are none. */
export function pathTree(paths: readonly string[]): PathNode | undefined {
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

/** Where the walk stands in the tree after one more segment; undefined when no path goes on from here. */
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

/** The paths that go on from a place. */
export type Nodes = readonly PathNode[] | undefined;

/** Returns true where one of the paths ends here: the value at this place is removed. */
export function ends(nodes: Nodes): boolean {
  return nodes?.some((node) => node.ends) ?? false;
}
