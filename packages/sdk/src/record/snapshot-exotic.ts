import type { CapturedValue, TaggedValue } from '@throughline/contract/values';
import type { CaptureLimits } from './limits.ts';
import { captureBinary } from './snapshot-binary.ts';
import { MARKER_BYTES, type SnapshotBudget } from './snapshot-budget.ts';
import { type Kind, ownData } from './snapshot-class.ts';
import { errorStack, errorText, MESSAGE_LENGTH, STACK_LENGTH } from './snapshot-error.ts';
import { Fields } from './snapshot-fields.ts';
import {
  dateTime,
  dateToIso,
  getOwnPropertyDescriptor,
  hasOwn,
  isBigIntObject,
  isBooleanObject,
  isNotANumber,
  isNumberObject,
  isStringObject,
  mapEntries,
  mapNext,
  mapSize,
  regexpFlags,
  regexpSource,
  setNext,
  setSize,
  setValues,
  unboxBigint,
  unboxBoolean,
  unboxNumber,
  unboxString,
  unboxSymbol,
  urlHref,
} from './snapshot-intrinsics.ts';
import { keyOfEntry, type Node } from './snapshot-nodes.ts';

/** What the readers of single kinds need of the walk they are part of. */
export interface ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  visit(value: unknown, depth: number, parent: Node | undefined, key: string | number): CapturedValue;
  fields(object: object, fields: Fields, depth: number, node: Node): number | undefined;
}

/** An object that shows no other objects; undefined for the kinds that do. */
export function captureLeaf(
  walk: ValueWalk,
  value: object,
  kind: Kind,
  name: string,
): CapturedValue | undefined {
  switch (kind) {
    case 'Date':
      walk.budget.left -= 60;
      return { $type: 'Date', value: isNotANumber(dateTime(value)) ? null : dateToIso(value) };
    case 'RegExp':
      return captureRegExp(walk, value);
    case 'binary':
      return captureBinary(walk.budget, walk.limits, value, name);
    case 'boxed':
      return captureBoxed(walk, value, name);
    default:
      return undefined;
  }
}

function captureRegExp({ budget, limits }: ValueWalk, value: object): TaggedValue {
  let flags = '';
  for (let index = 0; index < regexpFlags.length; index++) {
    const entry = regexpFlags[index];
    if (entry !== undefined && entry[1](value) === true) flags += entry[0];
  }
  const source = String(regexpSource(value));
  const shown = budget.text(source, limits.stringLength);
  if (shown === undefined) return budget.cut('RegExp', 'bytes', source.length, source.length);
  budget.left -= 60;
  return { $type: 'RegExp', source: shown, flags };
}

/** `new Number(3)`: an object of its class with the primitive as `value`. */
function captureBoxed(walk: ValueWalk, value: object, name: string): CapturedValue {
  const { budget } = walk;
  if (!budget.hasRoom(160)) return budget.cut(name, 'bytes');
  budget.left -= 160;
  const properties = new Fields();
  properties.value = walk.visit(unbox(value), 1, undefined, 'value');
  return { $type: 'object', class: name, properties };
}

/** Node's URL has nothing but getters; on any other class of that name its own getter throws. */
export function captureHref(walk: ValueWalk, value: object, properties: Fields): void {
  if (!walk.budget.hasRoom(MARKER_BYTES)) return;
  try {
    const href = urlHref(value);
    walk.budget.left -= 10;
    properties.href = walk.visit(href, 1, undefined, 'href');
  } catch {
    // The host's own class.
  }
}

function unbox(value: object): unknown {
  if (isNumberObject(value)) return unboxNumber(value);
  if (isStringObject(value)) return unboxString(value);
  if (isBooleanObject(value)) return unboxBoolean(value);
  if (isBigIntObject(value)) return unboxBigint(value);
  return unboxSymbol(value);
}

export function captureCollection(
  walk: ValueWalk,
  value: object,
  kind: Kind,
  depth: number,
  node: Node,
): TaggedValue {
  return kind === 'Map' ? captureMap(walk, value, depth, node) : captureSet(walk, value, depth, node);
}

function captureMap(walk: ValueWalk, value: object, depth: number, node: Node): TaggedValue {
  const { budget } = walk;
  const size = Number(mapSize(value));
  const iterator = mapEntries(value);
  const entries: [CapturedValue, CapturedValue][] = [];
  const end = Math.min(size, walk.limits.items);
  let index = 0;
  // Room for the value's marker is kept while the key is read.
  for (; index < end && budget.hasRoom(4 + MARKER_BYTES); index++) {
    const step = mapNext(iterator);
    if (step.done === true) break;
    budget.left -= 4 + MARKER_BYTES;
    const key = walk.visit(step.value[0], depth + 1, node, keyOfEntry(index));
    budget.left += MARKER_BYTES;
    entries[index] = [key, walk.visit(step.value[1], depth + 1, node, index)];
  }
  if (index < size) budget.noteCut();
  return { $type: 'Map', size, entries };
}

function captureSet(walk: ValueWalk, value: object, depth: number, node: Node): TaggedValue {
  const { budget } = walk;
  const size = Number(setSize(value));
  const iterator = setValues(value);
  const values: CapturedValue[] = [];
  const end = Math.min(size, walk.limits.items);
  let index = 0;
  for (; index < end && budget.hasRoom(1); index++) {
    const step = setNext(iterator);
    if (step.done === true) break;
    budget.left -= 1;
    values[index] = walk.visit(step.value, depth + 1, node, index);
  }
  if (index < size) budget.noteCut();
  return { $type: 'Set', size, values };
}

/** Its message, stack, cause, and what else it carries (`code`, an AggregateError's `errors`), through data properties only. */
export function captureError(
  walk: ValueWalk,
  value: object,
  name: string,
  depth: number,
  node: Node,
): TaggedValue {
  const { budget } = walk;
  const message = budget.text(errorText(value, 'message') ?? '', MESSAGE_LENGTH);
  if (message === undefined) return budget.cut(name, 'bytes');
  const stack = errorStack(value);
  const shownStack = stack === undefined ? undefined : budget.text(stack, STACK_LENGTH);
  const properties = new Fields();
  walk.fields(value, properties, depth, node);
  const errors = ownData(value, 'errors');
  if (errors !== undefined && !hasOwn(properties, 'errors') && budget.hasRoom(MARKER_BYTES)) {
    budget.left -= 12;
    properties.errors = walk.visit(errors, depth + 1, node, 'errors');
  }
  return {
    $type: 'Error',
    class: name,
    message,
    ...(shownStack !== undefined && { stack: shownStack }),
    ...captureCause(walk, value, depth, node),
    ...(isEmpty(properties) ? undefined : { properties }),
  };
}

function captureCause(
  walk: ValueWalk,
  value: object,
  depth: number,
  node: Node,
): { readonly cause?: CapturedValue } | undefined {
  const cause = getOwnPropertyDescriptor(value, 'cause');
  if (cause === undefined || !walk.budget.hasRoom(MARKER_BYTES)) return undefined;
  walk.budget.left -= 40;
  return {
    cause: hasOwn(cause, 'value') ? walk.visit(cause.value, depth + 1, node, 'cause') : { $type: 'accessor' },
  };
}

function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}
