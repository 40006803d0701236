import { slot } from './layout.ts';

/** Index of a node in a tree's `words`. Index 0 is the program. As a child, 0 means that there is no node. */
export type Node = number;

/**
 * A parsed program as numbers, in the layout of Rollup's native parser: each node is `[kind, start, end, …fields]` in one array. A child is
 * the index of its node; a list is the index of `[length, …indexes]`. No objects are built before the tree is read: 500 files of 2 kB are
 * parsed in 26 ms in a fresh process, compared with 110 ms (Meriyah) to 190 ms (oxc, as JSON) for parsers that return objects.
 */
export class Tree {
  readonly words: Uint32Array;
  /** Offsets of nodes in the source count UTF-16 units. */
  readonly source: string;
  /**
   * Start offsets of arrow function bodies, including parentheses. Null if each body begins right after its `=>` and no types come before
   * the `=>`.
   */
  readonly arrowBodies: ReadonlyMap<Node, number> | null;

  /** The author's names of renamed identifiers, from the source map, by offset in the code. */
  authorsNames: ReadonlyMap<number, string> | null = null;

  constructor(words: Uint32Array, source: string, arrowBodies: ReadonlyMap<Node, number> | null = null) {
    this.words = words;
    this.source = source;
    this.arrowBodies = arrowBodies;
  }

  kind(node: Node): number {
    return this.words[node] ?? 0;
  }

  start(node: Node): number {
    return this.words[node + 1] ?? 0;
  }

  end(node: Node): number {
    return this.words[node + 2] ?? 0;
  }

  child(node: Node, slot: number): Node {
    return this.words[node + slot] ?? 0;
  }

  /** Returns the length of a list; {@link item} reads one node of the list. Unlike {@link list}, allocates no array. */
  count(node: Node, slot: number): number {
    const list = this.words[node + slot] ?? 0;
    return list === 0 ? 0 : (this.words[list] ?? 0);
  }

  /** Returns the node at an index of a list; 0 for a hole in an array or array pattern. */
  item(node: Node, slot: number, index: number): Node {
    return this.words[(this.words[node + slot] ?? 0) + 1 + index] ?? 0;
  }

  /** Returns the nodes of a list, without the holes of arrays and array patterns. */
  list(node: Node, slot: number): Node[] {
    const list = this.words[node + slot] ?? 0;
    const nodes: Node[] = [];
    if (list === 0) return nodes;
    const end = list + (this.words[list] ?? 0);
    for (let place = list + 1; place <= end; place++) {
      const inner = this.words[place] ?? 0;
      if (inner !== 0) nodes.push(inner);
    }
    return nodes;
  }

  flag(node: Node, bit: number): boolean {
    return ((this.words[node + slot.flags] ?? 0) & bit) !== 0;
  }

  text(node: Node): string {
    return this.source.slice(this.words[node + 1], this.words[node + 2]);
  }

  /** Returns the name of an identifier with escapes decoded. Private names include the `#`. */
  name(identifier: Node): string {
    const written = this.text(identifier);
    return written.includes('\\') ? unescapeName(written) : written;
  }

  /** Returns the author's name for an identifier, which a compiler may have renamed. */
  authorsName(identifier: Node): string {
    return this.authorsNames?.get(this.start(identifier)) ?? this.name(identifier);
  }
}

function unescapeName(name: string): string {
  return name.replace(/\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi, (_, braced?: string, plain?: string) =>
    String.fromCodePoint(Number.parseInt(braced ?? plain ?? '', 16)),
  );
}
