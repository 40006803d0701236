import type { CapturedName } from './capture-names.ts';
import { type Fragment, fragment } from './json-tape.ts';
import { MARKER_BYTES } from './snapshot-budget.ts';
import { ownData } from './snapshot-class.ts';
import { CLOSED_HANDLE, handleKind, NO_HANDLE } from './snapshot-handles.ts';
import {
  arrayPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  lookUpGetter,
  objectKeys,
  urlHref,
} from './snapshot-intrinsics.ts';
import { isContextKey, ownKeys } from './snapshot-keys.ts';
import { NO_NODE, type Node } from './snapshot-nodes.ts';
import { symbolName } from './snapshot-primitive.ts';
import { excerpt } from './snapshot-text.ts';
import type { ValueWalk } from './snapshot-walk.ts';

const holeForm = fragment('{"$type":"hole"},');
const arrayForm = fragment('{"$type":"array","values":');
const lengthIs = fragment(',"length":');
const objectForm = fragment('{"$type":"object","properties":');
const sizeIs = fragment(',"size":');
const closing = fragment('},');
const instance = fragment('{"$type":"object","class":');
const propertiesAre = fragment(',"properties":{');
const hrefIs = fragment('"href":');
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** `inTurn`: names and values in turn, as in Node's `rawHeaders`. */
export function captureArray(
  walk: ValueWalk,
  list: readonly unknown[],
  depth: number,
  node: Node,
  inTurn: boolean,
): void {
  const { budget } = walk;
  const { tape } = budget;
  const { length } = list;
  const start = tape.end;
  tape.byte(OPEN_LIST);
  const end = Math.min(length, walk.limits.items);
  let holes = false;
  let index = 0;
  const ordinary = walk.ordinary && !inTurn && getPrototypeOf(list) === arrayPrototype;
  for (; index < end && budget.hasRoom(1); index++) {
    // A third of a descriptor's time. Where an accessor would answer, or nothing stands here, the descriptor tells.
    const item = ordinary && lookUpGetter(list, index) === undefined ? list[index] : undefined;
    if (item !== undefined) {
      walk.visit(item, depth + 1, node, index);
      if (typeof item === 'string') walk.noteItem(item);
      continue;
    }
    const descriptor = getOwnPropertyDescriptor(list, index);
    if (descriptor === undefined) {
      holes = true;
      tape.fragment(holeForm);
    } else if (inTurn && index % 2 === 1 && walk.isSecret(ownData(list, index - 1), ownData(list, index)))
      walk.secret(descriptor, depth, node, index);
    else walk.property(descriptor, depth, node, index);
    if (inTurn) walk.noteHidden(descriptor?.value);
  }
  tape.close(CLOSE_LIST);
  if (index < length) budget.noteCut();
  else if (!holes) return;
  wrap(walk, start, arrayForm);
  tape.fragment(lengthIs);
  tape.number(length);
  tape.fragment(closing);
}

/** Puts what was written since `start` into a form, still open. */
function wrap({ budget: { tape } }: ValueWalk, start: number, form: Fragment): void {
  tape.end--;
  tape.insert(start, form);
}

/**
 * A stream, server or message of Node's, by what is worth showing of it: not a cut, so nothing is counted. False for any other object, of which
 * nothing is written.
 */
export function captureHandle(
  walk: ValueWalk,
  object: object,
  prototype: object | null,
  name: string,
  depth: number,
  node: Node,
): boolean {
  const kind = handleKind(prototype);
  if (kind === NO_HANDLE) return false;
  writeInstance(walk, name);
  if (kind !== CLOSED_HANDLE) {
    const keys = objectKeys(object);
    let known: CapturedName | null = null;
    let left = walk.limits.keys;
    for (let index = 0; index < keys.length && left > 0; index++) {
      const key = keys[index] ?? '';
      known = walk.names.after(known, key);
      if ((known.hiddenIn & kind) !== 0) continue;
      if (!captureField(walk, object, key, known, depth, node)) break;
      left--;
    }
  }
  closeInstance(walk);
  return true;
}

export function capturePlain(walk: ValueWalk, object: object, depth: number, node: Node): void {
  const { tape } = walk.budget;
  const start = tape.end;
  tape.byte(OPEN);
  const size = captureFields(walk, object, depth, node);
  tape.close(CLOSE);
  if (size === undefined && !showsType(object)) return;
  wrap(walk, start, objectForm);
  writeSize(walk, size);
}

/** `{"$type":"object","class":name,"properties":{` */
export function writeInstance({ budget: { tape } }: ValueWalk, name: string): void {
  tape.fragment(instance);
  tape.string(name);
  tape.fragment(propertiesAre);
}

export function closeInstance({ budget: { tape } }: ValueWalk): void {
  tape.close(CLOSE);
  tape.end--;
  tape.fragment(closing);
}

/** Node's URL has nothing but getters; on any other class of that name its own getter throws. */
function captureHref(walk: ValueWalk, value: object): void {
  const { budget } = walk;
  if (!budget.hasRoom(MARKER_BYTES)) return;
  const start = budget.tape.end;
  try {
    const href = urlHref(value);
    budget.tape.fragment(hrefIs);
    walk.visit(href, 1, NO_NODE, 'href');
  } catch {
    // The host's own class.
    budget.tape.end = start;
  }
}

/** Whether a `$type` of the host's own is among the properties shown. */
function showsType(object: object): boolean {
  return hasOwn(object, '$type') && getOwnPropertyDescriptor(object, '$type')?.enumerable === true;
}

export function captureInstance(
  walk: ValueWalk,
  object: object,
  name: string,
  depth: number,
  node: Node,
): void {
  const { tape } = walk.budget;
  writeInstance(walk, name);
  const size = captureFields(walk, object, depth, node);
  if (name === 'URL') captureHref(walk, object);
  tape.close(CLOSE);
  tape.end--;
  writeSize(walk, size);
}

function writeSize({ budget: { tape } }: ValueWalk, size: number | undefined): void {
  if (size !== undefined) {
    tape.fragment(sizeIs);
    tape.number(size);
  }
  tape.fragment(closing);
}

/**
 * Writes an object's own enumerable properties: string keys first, then symbols as `Symbol(name)`. Returns how many it has when not all of them
 * are shown.
 */
export function captureFields(
  walk: ValueWalk,
  object: object,
  depth: number,
  node: Node,
): number | undefined {
  const { keys: wanted, stringLength } = walk.limits;
  const { first, size, symbols } = ownKeys(object, wanted);
  let shown = 0;
  let known: CapturedName | null = null;
  for (; shown < size && shown < wanted; shown++) {
    const key = first[shown] ?? '';
    known = walk.names.after(known, key.length <= stringLength ? key : excerpt(key, stringLength));
    if (!captureField(walk, object, key, known, depth, node)) break;
  }
  if (symbols.length === 0 && shown === size) return undefined;
  const taken: string[] = [];
  for (let index = 0; index < shown; index++) taken[index] = first[index] ?? '';
  let all = size;
  for (let index = 0; index < symbols.length; index++) {
    const symbol = symbols[index];
    if (symbol === undefined || isContextKey(symbol)) continue;
    if (getOwnPropertyDescriptor(object, symbol)?.enumerable !== true) continue;
    const fits = shown === all && shown < wanted;
    all++;
    if (!fits) continue;
    const name = freeName(taken, symbol);
    if (!captureField(walk, object, symbol, walk.names.of(name), depth, node)) continue;
    taken[shown] = name;
    shown++;
  }
  if (shown === all) return undefined;
  walk.budget.noteCut();
  return all;
}

function captureField(
  walk: ValueWalk,
  object: object,
  key: PropertyKey,
  known: CapturedName,
  depth: number,
  node: Node,
): boolean {
  const { budget } = walk;
  const { shown: name } = known;
  if (!budget.hasRoom(known.json.size + 1)) return false;
  const descriptor = getOwnPropertyDescriptor(object, key);
  // Gone since the keys of a very large object were listed.
  if (descriptor === undefined) return true;
  budget.tape.fragment(known.json);
  if (walk.isHidden(known.verdict, descriptor.value)) walk.secret(descriptor, depth, node, name);
  else if (known.raw) walk.rawHeaders(descriptor, depth, node, name);
  else walk.property(descriptor, depth, node, name);
  if (known.role !== undefined) walk.noteRole(known.role, descriptor.value);
  return true;
}

/** `Symbol(name)`, numbered where the object has such a key already. */
function freeName(taken: readonly string[], symbol: symbol): string {
  const plain = `Symbol(${symbolName(symbol)})`;
  let name = plain;
  for (let copy = 2; isTaken(taken, name); copy++) name = `${plain} ${copy}`;
  return name;
}

function isTaken(taken: readonly string[], name: string): boolean {
  for (let index = 0; index < taken.length; index++) if (taken[index] === name) return true;
  return false;
}
