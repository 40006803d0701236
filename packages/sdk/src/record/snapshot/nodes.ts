import { fragment, type JsonWriter } from '../writer/json-writer.ts';
import { mapGet, mapSet } from '../writer/primordials.ts';
import { NO_PLACE, type Root, writeSegments } from '../writer/value-path.ts';

/** Index of an object in the order in which this step's objects were written; {@link NO_NODE} for none. */
export type Node = number;
export const NO_NODE: Node = -1;

/** Up to this number of nodes, a linear search is faster than a Map. */
const FEW = 24;
const noRoot: Root = [];
const reference = fragment('{"$type":"reference","path":[');
const closing = fragment('},');
const CLOSE_LIST = 0x5d;

/** The objects seen in one step, with their paths, so that a second occurrence becomes a reference. */
export class SnapshotNodes {
  #count = 0;
  #root: Root = noRoot;
  #index: Map<object, Node> | undefined;
  // One list per field of a node. The lists are reused for each step.
  readonly #objects: (object | null)[] = [];
  /** The container of each object; NO_NODE for the captured value itself. */
  readonly #parents: Node[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #roots: Root[] = [];
  readonly #depths: number[] = [];
  /** True if an object below the node was cut because of the depth limit. */
  readonly #cut: boolean[] = [];
  /** Place in {@link WrittenObjects} at which the object was first written, or NO_PLACE. */
  readonly #places: number[] = [];
  /** True if the node's object is not written in this step but referred to. */
  readonly #elsewhere: boolean[] = [];

  /** Removes all nodes, so that host objects are released. */
  clear(): void {
    for (let node = 0; node < this.#count; node++) this.#objects[node] = null;
    this.#count = 0;
    this.#index = undefined;
  }

  /** Frees the lists, because a socket or timer of a finished request can keep this object in memory. */
  release(): void {
    this.clear();
    this.#objects.length = this.#parents.length = this.#keys.length = this.#roots.length = 0;
    this.#depths.length = this.#cut.length = this.#places.length = this.#elsewhere.length = 0;
  }

  /** Sets the path, within the step, of the value that is captured next. */
  startAt(root: Root): void {
    this.#root = root;
  }

  /**
   * Returns the node of `object` if it was opened before. Returns NO_NODE if the object was cut there because of the depth limit and is
   * less deep now, since it is better shown here.
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

  /** Marks this object, and all objects opened since, as written elsewhere: their JSON is removed and replaced by a reference. */
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
 * Returns the number that stands for a Map's key. Its path is the entry's position and 'key'; the number is negative to tell it from the
 * entry's value.
 */
export function keyOfEntry(position: number): number {
  return -1 - position;
}
