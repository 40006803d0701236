import { mapGet, mapSet } from './snapshot-intrinsics.ts';

type Path = readonly (string | number)[];

/** An object that was opened in this step. */
interface Node {
  readonly object: object;
  /** What it was found in; undefined for the captured value itself. */
  readonly parent: Node | undefined;
  readonly key: string | number;
  /** Path of the captured value that this node is part of. */
  readonly root: Path;
  readonly depth: number;
  /** Something below it was too deep to be shown. */
  cut: boolean;
}

export type { Node };

/** Up to so many nodes a look through them all is quicker than a Map. */
const FEW = 24;

/** The objects of one step seen so far, and where each stands, so that meeting one again becomes a reference. */
export class SnapshotNodes {
  #nodes: Node[] = [];
  #count = 0;
  #index: Map<object, Node> | undefined;
  #root: Path = [];

  clear(): void {
    if (this.#count === 0) return;
    this.#nodes = [];
    this.#count = 0;
    this.#index = undefined;
  }

  /** Says where the value captured next will stand in its step. */
  startAt(path: Path): void {
    this.#root = path;
  }

  /**
   * The path of `object` if it was opened before. Not if it was cut there for its depth and stands less deep here: then this is the better
   * place to show it.
   */
  find(object: object, depth: number): Path | undefined {
    if (this.#count === 0) return undefined;
    const node = this.#lookUp(object);
    if (node === undefined || (node.cut && depth < node.depth)) return undefined;
    return pathOf(node);
  }

  open(object: object, depth: number, parent: Node | undefined, key: string | number): Node {
    const node: Node = { object, parent, key, root: this.#root, depth, cut: false };
    this.#nodes[this.#count] = node;
    this.#count++;
    if (this.#index !== undefined) mapSet(this.#index, object, node);
    else if (this.#count > FEW) this.#makeIndex();
    return node;
  }

  #lookUp(object: object): Node | undefined {
    if (this.#index !== undefined) return mapGet(this.#index, object);
    for (let position = this.#count - 1; position >= 0; position--) {
      const node = this.#nodes[position];
      if (node?.object === object) return node;
    }
    return undefined;
  }

  #makeIndex(): void {
    this.#index = new Map();
    for (let position = 0; position < this.#count; position++) {
      const node = this.#nodes[position];
      if (node !== undefined) mapSet(this.#index, node.object, node);
    }
  }
}

/** A Map's key stands at the position of its entry and 'key'; it is noted as the position below zero. */
export function keyOfEntry(position: number): number {
  return -1 - position;
}

function pathOf(node: Node): Path {
  const backwards: (string | number)[] = [];
  let count = 0;
  for (let link = node; link.parent !== undefined; link = link.parent) {
    if (typeof link.key === 'number' && link.key < 0) {
      backwards[count++] = 'key';
      backwards[count++] = -1 - link.key;
    } else {
      backwards[count++] = link.key;
    }
  }
  const path: (string | number)[] = [];
  let end = 0;
  for (; end < node.root.length; end++) path[end] = node.root[end] ?? '';
  for (let index = count - 1; index >= 0; index--) path[end++] = backwards[index] ?? '';
  return path;
}
