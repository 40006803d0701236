import { buildFragment, type JsonWriter } from '../writer/json-writer.ts';
import { mapGet, mapSet } from '../writer/primordials.ts';
import { NO_PLACE, type Root, writeSegments } from '../writer/value-path.ts';

/** Index of an object in the order in which the objects of a step were written. {@link NO_NODE} stands for no object. */
export type Node = number;
export const NO_NODE: Node = -1;

/** Maximum number of nodes for a linear search. With more nodes, a Map is faster. */
const FEW = 24;
const noRoot: Root = [];
const reference = buildFragment('{"$type":"reference","path":[');
const closing = buildFragment('},');
const CLOSE_LIST = 0x5d;

/** The objects seen in one step, with their paths. When an object occurs a second time, a reference to its path is written. */
export class SnapshotNodes {
  #count = 0;
  #root: Root = noRoot;
  #index: Map<object, Node> | undefined;
  // Each field of a node has a list of its own. The lists are reused for each step.
  readonly #objects: (object | null)[] = [];
  /** The node of the container of each object; NO_NODE if the object is the captured value itself. */
  readonly #parents: Node[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #roots: Root[] = [];
  readonly #depths: number[] = [];
  /** True if an object below the node was cut because of the depth limit. */
  readonly #cut: boolean[] = [];
  /** Place in {@link WrittenObjects} at which the object was first written; NO_PLACE if the object is not tracked. */
  readonly #places: number[] = [];
  /** True if a reference is written in place of the node's object, because an earlier capture contains the object unchanged. */
  readonly #elsewhere: boolean[] = [];

  /** Removes all nodes, so that host objects are released. */
  clear(): void {
    for (let node = 0; node < this.#count; node++) this.#objects[node] = null;
    this.#count = 0;
    this.#index = undefined;
  }

  /** Frees the lists, because a socket or timer of a finished request can reference this object for a long time. */
  release(): void {
    this.clear();
    // Setting the length of a list is slow, and the lists of most requests without values are empty.
    if (this.#objects.length === 0) return;
    this.#objects.length = this.#parents.length = this.#keys.length = this.#roots.length = 0;
    this.#depths.length = this.#cut.length = this.#places.length = this.#elsewhere.length = 0;
  }

  /** Sets the path of the value that is captured next. The path begins at the step. */
  startAt(root: Root): void {
    this.#root = root;
  }

  /**
   * Returns the node of `object`; NO_NODE if the object was not opened before. Also returns NO_NODE if the depth limit cut a part of the
   * object at its earlier position and `depth` is smaller now: then more of the object can be shown.
   */
  find(object: object, depth: number): Node {
    const node = this.#lookUp(object);
    return node === NO_NODE || (this.#cut[node] === true && depth < (this.#depths[node] ?? 0))
      ? NO_NODE
      : node;
  }

  open(object: object, depth: number, parent: Node, key: string | number): Node {
    const node = this.#count;
    this.#objects[node] = object;
    this.#parents[node] = parent;
    this.#keys[node] = key;
    this.#roots[node] = this.#root;
    this.#depths[node] = depth;
    this.#cut[node] = false;
    this.#places[node] = NO_PLACE;
    this.#elsewhere[node] = false;
    this.#count = node + 1;
    if (this.#index !== undefined) mapSet(this.#index, object, node);
    else if (this.#count > FEW) this.#makeIndex();
    return node;
  }

  get root(): Root {
    return this.#root;
  }

  placeOf(node: Node): number {
    return this.#places[node] ?? NO_PLACE;
  }

  isElsewhere(node: Node): boolean {
    return this.#elsewhere[node] === true;
  }

  setPlace(node: Node, place: number): void {
    this.#places[node] = place;
  }

  /**
   * Marks this object, and all objects opened since then, as written by an earlier capture. A reference to the earlier JSON replaces the
   * JSON of these objects.
   */
  markElsewhere(node: Node): void {
    for (let inner = node; inner < this.#count; inner++) this.#elsewhere[inner] = true;
  }

  markCut(node: Node): void {
    this.#cut[node] = true;
  }

  #lookUp(object: object): Node {
    if (this.#index !== undefined) return mapGet(this.#index, object) ?? NO_NODE;
    for (let node = this.#count - 1; node >= 0; node--) if (this.#objects[node] === object) return node;
    return NO_NODE;
  }

  #makeIndex(): void {
    this.#index = new Map();
    for (let node = 0; node < this.#count; node++) {
      const object = this.#objects[node] ?? null;
      if (object !== null) mapSet(this.#index, object, node);
    }
  }

  /** Writes a reference with the node's path. */
  writeReference(writer: JsonWriter, node: Node): void {
    writer.fragment(reference);
    const root = this.#roots[node] ?? noRoot;
    writeSegments(writer, root);
    this.#writePath(writer, node);
    writer.close(CLOSE_LIST);
    writer.end--;
    writer.fragment(closing);
  }

  #writePath(writer: JsonWriter, node: Node): void {
    const parent = this.#parents[node] ?? NO_NODE;
    if (parent === NO_NODE) return;
    this.#writePath(writer, parent);
    writeSegments(writer, [this.#keys[node] ?? '']);
  }
}

/**
 * Returns the number that identifies the key of a Map's entry. The path of such a key is the entry's position and 'key'. The number is
 * negative, which distinguishes the key from the entry's value.
 */
export function numberEntryKey(position: number): number {
  return -1 - position;
}
