import { fragment, type JsonWriter } from '../writer/json-writer.ts';
import { mapGet, mapSet } from '../writer/primordials.ts';
import { NO_PLACE, type Root, writeSegments } from '../writer/value-path.ts';

/** An object that was opened in this step, by its position among them; {@link NO_NODE} stands for none. */
export type Node = number;
export const NO_NODE: Node = -1;

/** Up to so many nodes a look through them all is quicker than a Map. */
const FEW = 24;
const noRoot: Root = [];
const reference = fragment('{"$type":"reference","path":[');
const closing = fragment('},');
const CLOSE_LIST = 0x5d;

/** The objects of one step seen so far, and where each stands, so that meeting one again becomes a reference. */
export class SnapshotNodes {
  #count = 0;
  #root: Root = noRoot;
  #index: Map<object, Node> | undefined;
  // One list for each thing known of a node: they are used again for step after step.
  readonly #objects: (object | null)[] = [];
  /** The container of each value; NO_NODE for the captured value itself. */
  readonly #parents: Node[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #roots: Root[] = [];
  readonly #depths: number[] = [];
  /** Something below it was too deep to be shown. */
  readonly #cut: boolean[] = [];
  /** Where it was written first, once it was written. */
  readonly #places: number[] = [];
  /** It is not written in this step, but referred to. */
  readonly #elsewhere: boolean[] = [];

  /** Forgets all: the host's objects are not held. */
  clear(): void {
    for (let node = 0; node < this.#count; node++) this.#objects[node] = null;
    this.#count = 0;
    this.#index = undefined;
  }

  /** Frees the lists: a socket or timer of a finished request can keep this object. */
  release(): void {
    this.clear();
    this.#objects.length = this.#parents.length = this.#keys.length = this.#roots.length = 0;
    this.#depths.length = this.#cut.length = this.#places.length = this.#elsewhere.length = 0;
  }

  /** Says where the value captured next will stand in its step. */
  startAt(root: Root): void {
    this.#root = root;
  }

  /**
   * The node of `object` if it was opened before. Not if it was cut there for its depth and stands less deep here: then this is the better
   * place to show it.
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

  /** The text of this object, and with it that of all that was opened since, is not kept: it stands at its place. */
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

  /** Writes the reference to a node, by its path. */
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

/** A Map's key stands at the position of its entry and 'key'; it is noted as the position below zero. */
export function keyOfEntry(position: number): number {
  return -1 - position;
}
