import { findPlainSummary } from '../summaries/find-summary.ts';
import { buildFragment, type Fragment } from '../writer/json-writer.ts';
import {
  arrayPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  lookUpGetter,
  urlHref,
} from '../writer/primordials.ts';
import { MARKER_BYTES } from './budget.ts';
import { type Kind, readOwnData } from './class-kind.ts';
import { captureFields, captureKeys, writeInstance, writeSize } from './fields.ts';
import { countOwnKeys, listOwnKeys } from './keys.ts';
import { NO_NODE, type Node } from './nodes.ts';
import { captureSummary } from './summary.ts';
import type { ValueWalk } from './walk.ts';

const emptyList = buildFragment('[],');
const emptyObject = buildFragment('{},');
const holeForm = buildFragment('{"$type":"hole"},');
const arrayForm = buildFragment('{"$type":"array","values":');
const lengthIs = buildFragment(',"length":');
const objectForm = buildFragment('{"$type":"object","properties":');
const closing = buildFragment('},');
const hrefIs = buildFragment('"href":');
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Captures an array. `inTurn` is true if names and values alternate in the array, as in Node's `rawHeaders`. */
export function captureArray(
  walk: ValueWalk,
  list: readonly unknown[],
  depth: number,
  node: Node,
  inTurn: boolean,
): void {
  const { budget } = walk;
  const { writer } = budget;
  const { length } = list;
  const start = writer.end;
  writer.byte(OPEN_LIST);
  const end = Math.min(length, walk.limits.items);
  let holes = false;
  let index = 0;
  const ordinary = walk.ordinary && !inTurn && getPrototypeOf(list) === arrayPrototype;
  for (; index < end && budget.hasRoom(1); index++) {
    // Reading an item directly takes a third of the time that reading its descriptor takes. In an `ordinary` list, only accessors, missing
    // items and undefined are read through their descriptors.
    const item = ordinary && lookUpGetter(list, index) === undefined ? list[index] : undefined;
    if (item !== undefined) {
      walk.visit(item, depth + 1, node, index);
      if (typeof item === 'string') walk.noteItem(item);
      continue;
    }
    const descriptor = getOwnPropertyDescriptor(list, index);
    if (descriptor === undefined) {
      holes = true;
      writer.fragment(holeForm);
    } else if (
      inTurn &&
      index % 2 === 1 &&
      walk.isSecret(readOwnData(list, index - 1), readOwnData(list, index))
    )
      walk.secret(descriptor, depth, node, index);
    else walk.property(descriptor, depth, node, index);
    if (inTurn) walk.noteHidden(descriptor?.value);
  }
  writer.close(CLOSE_LIST);
  if (index < length) budget.noteCut();
  else if (!holes) return;
  wrap(walk, start, arrayForm);
  writer.fragment(lengthIs);
  writer.number(length);
  writer.fragment(closing);
}

/** Wraps the JSON that was written from `start` on in a tagged form. The form stays open, so that further fields can follow. */
function wrap(walk: ValueWalk, start: number, form: Fragment): void {
  const { writer } = walk.budget;
  writer.end--;
  writer.insert(start, form);
  walk.written.noteInserted(start, form.size);
}

export function capturePlain(walk: ValueWalk, object: object, depth: number, node: Node): void {
  const { writer } = walk.budget;
  const start = writer.end;
  const keys = listOwnKeys(object, walk.limits.keys);
  const summary = findPlainSummary(object, keys);
  if (summary !== null) {
    captureSummary(walk, object, summary, 'Object', depth, node);
    return;
  }
  writer.byte(OPEN);
  const size = captureKeys(walk, object, keys, depth, node);
  writer.close(CLOSE);
  if (size === undefined && !showsType(object)) return;
  wrap(walk, start, objectForm);
  writeSize(walk, size);
}

/**
 * Captures an object beyond the depth limit. An empty list or plain object is written as it is; any other object is cut. Returns the number
 * of cuts.
 */
export function captureTooDeep({ budget }: ValueWalk, value: object, name: string, kind: Kind): 0 | 1 {
  const keys = isArray(value) ? value.length : countOwnKeys(value);
  const plain = name === 'array' || name === 'Object';
  if (plain && keys === 0 && kind === 'object') {
    budget.writer.fragment(isArray(value) ? emptyList : emptyObject);
    return 0;
  }
  if (kind === 'object') budget.cut(name === 'Object' ? 'object' : name, 'depth', keys);
  else budget.cut(name, 'depth');
  return 1;
}

/** Adds `href` for an instance of Node's URL, which has only getters. */
function captureHref(walk: ValueWalk, value: object): void {
  const { budget } = walk;
  if (!budget.hasRoom(MARKER_BYTES)) return;
  const start = budget.writer.end;
  try {
    const href = urlHref(value);
    budget.writer.fragment(hrefIs);
    walk.visit(href, 1, NO_NODE, 'href');
  } catch {
    // The getter of Node's URL threw: the object is an instance of another class that is also named URL.
    budget.writer.end = start;
  }
}

/** True if the host's object has an enumerable `$type` property. */
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
  const { writer } = walk.budget;
  writeInstance(walk, name);
  const size = captureFields(walk, object, depth, node);
  if (name === 'URL') captureHref(walk, object);
  writer.close(CLOSE);
  writer.end--;
  writeSize(walk, size);
}
