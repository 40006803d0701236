import type { CapturedValue } from '@throughline/contract/values';
import type { CaptureLimits } from './limits.ts';
import { MARKER_BYTES, SnapshotBudget } from './snapshot-budget.ts';
import { classNameOf, type Kind, kindOf } from './snapshot-class.ts';
import {
  captureCollection,
  captureError,
  captureHref,
  captureLeaf,
  type ValueWalk,
} from './snapshot-exotic.ts';
import { Fields } from './snapshot-fields.ts';
import { handleKeys } from './snapshot-handles.ts';
import {
  getOwnPropertyDescriptor,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  objectPrototype,
} from './snapshot-intrinsics.ts';
import { ownKeys } from './snapshot-keys.ts';
import { type Node, SnapshotNodes } from './snapshot-nodes.ts';
import {
  captureBigint,
  captureFunction,
  captureNumber,
  captureString,
  captureSymbol,
  symbolName,
} from './snapshot-primitive.ts';
import { excerpt, jsonBytes } from './snapshot-text.ts';

/** What the tagged form of a container may add around its contents; given back when it needs none. */
const WRAPPING_BYTES = 128;
const BRACKETS = 3;

/**
 * Copies values as they are now, for one request. It runs no code of the host's: no getter, proxy trap, `toJSON`, iterator or
 * `Symbol.toStringTag`. It never throws. What does not fit the limits is marked where it was and counted.
 */
export class Snapshotter implements ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  readonly #nodes = new SnapshotNodes();
  #depthCuts = 0;

  constructor(limits: CaptureLimits) {
    this.limits = limits;
    this.budget = new SnapshotBudget(limits.requestBytes);
  }

  /** Values not shown, or shown in part. */
  get cutValues(): number {
    return this.budget.cutValues;
  }

  /** What those hid, as far as it is known without reading it: characters of strings, bytes of binary data. */
  get cutBytes(): number {
    return this.budget.cutBytes;
  }

  /** Bytes of JSON taken since `beginStep`, estimated from above. */
  get stepBytes(): number {
    return this.budget.spent;
  }

  /** Starts a moment of a step: a new table of references, and the step's budget less what earlier moments of it took. */
  beginStep(spentBytes = 0): void {
    this.budget.grant(this.limits.stepBytes - spentBytes);
    this.#nodes.clear();
  }

  /**
   * The value as it is now. `path` is where it will stand in its step (`['parameters', 'order']`), for references to what is inside.
   * On a path, the value of a Map's entry is its position, its key is the position and 'key', and an error's cause is 'cause'.
   */
  take(value: unknown, path: readonly (string | number)[]): CapturedValue {
    try {
      if (this.budget.left < MARKER_BYTES) return this.budget.cut(typeof value, 'bytes');
      this.#nodes.startAt(path);
      return this.visit(value, 0, undefined, '');
    } catch {
      // The host's stack is all but used up, or the engine itself refuses to describe the value.
      this.budget.cutValues++;
      return { $type: 'cut', of: typeof value, reason: 'depth' };
    }
  }

  /** One value at `depth` below the captured one, standing at `key` of `parent`. */
  visit(value: unknown, depth: number, parent: Node | undefined, key: string | number): CapturedValue {
    const { budget } = this;
    switch (typeof value) {
      case 'string':
        return captureString(budget, value, this.limits.stringLength);
      case 'number':
        return captureNumber(budget, value);
      case 'boolean':
        budget.left -= 6;
        return value;
      case 'undefined':
        budget.left -= 22;
        return { $type: 'undefined' };
      case 'bigint':
        return captureBigint(budget, value);
      case 'symbol':
        return captureSymbol(budget, value);
      case 'function':
        return isProxy(value) ? this.#proxy() : captureFunction(budget, value);
      case 'object':
        if (value !== null) return isProxy(value) ? this.#proxy() : this.#object(value, depth, parent, key);
        budget.left -= 5;
        return null;
    }
  }

  #proxy(): CapturedValue {
    this.budget.left -= 18;
    return { $type: 'proxy' };
  }

  #object(value: object, depth: number, parent: Node | undefined, key: string | number): CapturedValue {
    const list = isArray(value);
    const prototype: object | null = list ? null : getPrototypeOf(value);
    const plain = list || prototype === objectPrototype;
    const name = list ? 'array' : plain ? 'Object' : classNameOf(prototype);
    const kind = plain ? 'object' : kindOf(value, name);
    const leaf = kind === 'object' ? undefined : captureLeaf(this, value, kind, name);
    if (leaf !== undefined) return leaf;
    const seen = this.#nodes.find(value, depth);
    if (seen !== undefined) return this.#reference(seen);
    if (depth > this.limits.depth) return this.#tooDeep(value, name, kind);
    const { budget } = this;
    if (!budget.hasRoom(WRAPPING_BYTES)) return budget.cut(name === 'Object' ? 'object' : name, 'bytes');
    budget.left -= WRAPPING_BYTES;
    const node = this.#nodes.open(value, depth, parent, key);
    const cutsBefore = this.#depthCuts;
    const captured = isArray(value)
      ? this.#array(value, depth, node)
      : kind === 'Error'
        ? captureError(this, value, name, depth, node)
        : kind === 'object'
          ? (this.#handle(value, plain ? null : prototype, name, depth, node) ??
            this.#plainOrInstance(value, name, depth, node))
          : captureCollection(this, value, kind, depth, node);
    if (this.#depthCuts > cutsBefore) node.cut = true;
    return captured;
  }

  #tooDeep(value: object, name: string, kind: Kind): CapturedValue {
    const { budget } = this;
    const keys = isArray(value) ? value.length : ownKeys(value, 0).size;
    const plain = name === 'array' || name === 'Object';
    if (plain && keys === 0 && kind === 'object') {
      budget.left -= BRACKETS;
      return isArray(value) ? [] : new Fields();
    }
    this.#depthCuts++;
    return kind === 'object'
      ? budget.cut(name === 'Object' ? 'object' : name, 'depth', keys)
      : budget.cut(name, 'depth');
  }

  #reference(path: readonly (string | number)[]): CapturedValue {
    const { budget } = this;
    let bytes = 40;
    for (let index = 0; index < path.length; index++) bytes += jsonBytes(`${path[index]}`) + 3;
    if (bytes > budget.left) return budget.cut('reference', 'bytes');
    budget.left -= bytes;
    return { $type: 'reference', path };
  }

  #array(list: readonly unknown[], depth: number, node: Node): CapturedValue {
    const { budget } = this;
    const { length } = list;
    const end = Math.min(length, this.limits.items);
    const values: CapturedValue[] = [];
    let holes = false;
    let index = 0;
    for (; index < end && budget.hasRoom(1); index++) {
      const descriptor = getOwnPropertyDescriptor(list, index);
      budget.left -= 1;
      if (descriptor === undefined) {
        holes = true;
        budget.left -= 17;
        values[index] = { $type: 'hole' };
      } else {
        values[index] = this.#property(descriptor, depth, node, index);
      }
    }
    if (index < length) budget.noteCut();
    else if (!holes) {
      budget.left += WRAPPING_BYTES - BRACKETS;
      return values;
    }
    return { $type: 'array', values, length };
  }

  /** A stream, server or message of Node's, by what is worth showing of it: not a cut, so nothing is counted. */
  #handle(
    object: object,
    prototype: object | null,
    name: string,
    depth: number,
    node: Node,
  ): CapturedValue | undefined {
    const keys = handleKeys(object, prototype);
    if (keys === undefined) return undefined;
    const properties = new Fields();
    for (let index = 0; index < keys.length && index < this.limits.keys; index++) {
      const key = keys[index] ?? '';
      if (!this.#field(object, key, key, properties, depth, node)) break;
    }
    return { $type: 'object', class: name, properties };
  }

  #plainOrInstance(object: object, name: string, depth: number, node: Node): CapturedValue {
    const properties = new Fields();
    const size = this.fields(object, properties, depth, node);
    if (name === 'URL') captureHref(this, object, properties);
    const plain = name === 'Object';
    if (size !== undefined) {
      return plain
        ? { $type: 'object', size, properties }
        : { $type: 'object', class: name, size, properties };
    }
    if (!plain) return { $type: 'object', class: name, properties };
    if (hasOwn(properties, '$type')) return { $type: 'object', properties };
    this.budget.left += WRAPPING_BYTES - BRACKETS;
    return properties;
  }

  /**
   * Copies an object's own enumerable properties into `fields`: string keys first, then symbols as `Symbol(name)`. Returns how many it has
   * when not all of them are shown.
   */
  fields(object: object, fields: Fields, depth: number, node: Node): number | undefined {
    const wanted = this.limits.keys;
    const { first, size } = ownKeys(object, wanted);
    let shown = 0;
    for (; shown < size && shown < wanted; shown++) {
      const key = first[shown] ?? '';
      const name = key.length <= this.limits.stringLength ? key : excerpt(key, this.limits.stringLength);
      if (!this.#field(object, key, name, fields, depth, node)) break;
    }
    const symbols = getOwnPropertySymbols(object);
    let all = size;
    for (let index = 0; index < symbols.length; index++) {
      const symbol = symbols[index];
      if (symbol === undefined || getOwnPropertyDescriptor(object, symbol)?.enumerable !== true) continue;
      const fits = shown === all && shown < wanted;
      all++;
      if (fits && this.#field(object, symbol, freeName(fields, symbol), fields, depth, node)) shown++;
    }
    if (shown === all) return undefined;
    this.budget.noteCut();
    return all;
  }

  #field(object: object, key: PropertyKey, name: string, fields: Fields, depth: number, node: Node): boolean {
    const bytes = jsonBytes(name) + 4;
    if (!this.budget.hasRoom(bytes)) return false;
    const descriptor = getOwnPropertyDescriptor(object, key);
    // Gone since the keys of a very large object were listed.
    if (descriptor === undefined) return true;
    this.budget.left -= bytes;
    fields[name] = this.#property(descriptor, depth, node, name);
    return true;
  }

  #property(descriptor: PropertyDescriptor, depth: number, node: Node, key: string | number): CapturedValue {
    if (hasOwn(descriptor, 'value')) return this.visit(descriptor.value, depth + 1, node, key);
    this.budget.left -= 22;
    return { $type: 'accessor' };
  }
}

/** `Symbol(name)`, numbered where the object has such a key already. */
function freeName(fields: Fields, symbol: symbol): string {
  const plain = `Symbol(${symbolName(symbol)})`;
  let name = plain;
  for (let copy = 2; hasOwn(fields, name); copy++) name = `${plain} ${copy}`;
  return name;
}
