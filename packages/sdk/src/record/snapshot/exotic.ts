import { SHOWN_STACK_BYTES } from '../errors/stack-places.ts';
import { buildFragment } from '../writer/json-writer.ts';
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
} from '../writer/primordials.ts';
import { captureBinary } from './binary.ts';
import { MARKER_BYTES } from './budget.ts';
import { type Kind, readOwnData } from './class-kind.ts';
import { MESSAGE_LENGTH, readErrorText } from './error.ts';
import { captureFields, closeInstance, writeInstance } from './fields.ts';
import { formatRedactedMarker } from './hidden.ts';
import { NO_NODE, type Node, numberEntryKey } from './nodes.ts';
import { writeExcerpt } from './primitive.ts';
import type { ValueWalk } from './walk.ts';

const noDate = buildFragment('{"$type":"Date","value":null},');
const date = buildFragment('{"$type":"Date","value":"');
const dateEnd = buildFragment('"},');
const regexp = buildFragment('{"$type":"RegExp","flags":"');
const sourceIs = buildFragment('","source":');
const closing = buildFragment('},');
const map = buildFragment('{"$type":"Map","size":');
const entriesAre = buildFragment(',"entries":[');
const set = buildFragment('{"$type":"Set","size":');
const valuesAre = buildFragment(',"values":[');
const error = buildFragment('{"$type":"Error","class":');
const propertiesAre = buildFragment(',"properties":{');
const messageIs = buildFragment(',"message":');
const causeIs = buildFragment(',"cause":');
const valueIs = buildFragment('"value":');
const errorsAre = buildFragment('"errors":');
const accessor = buildFragment('{"$type":"accessor"},');
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const CLOSE = 0x7d;

/** Captures an object of a kind that contains no other objects. For other kinds, writes nothing and returns false. */
export function captureLeaf(walk: ValueWalk, value: object, kind: Kind, name: string): boolean {
  switch (kind) {
    case 'Date':
      captureDate(walk, value);
      return true;
    case 'RegExp':
      captureRegExp(walk, value);
      return true;
    case 'binary':
      captureBinary(walk, value, name);
      return true;
    case 'boxed':
      captureBoxed(walk, value, name);
      return true;
    default:
      return false;
  }
}

function captureDate({ budget: { writer }, hidesAll }: ValueWalk, value: object): void {
  if (hidesAll) {
    writer.fragment(formatRedactedMarker('Date'));
    return;
  }
  if (isNotANumber(dateTime(value))) {
    writer.fragment(noDate);
    return;
  }
  writer.fragment(date);
  writer.ascii(dateToIso(value));
  writer.fragment(dateEnd);
}

function captureRegExp(walk: ValueWalk, value: object): void {
  const { budget, limits } = walk;
  const { writer } = budget;
  if (walk.hidesAll) {
    writer.fragment(formatRedactedMarker('RegExp'));
    return;
  }
  let flags = '';
  for (let index = 0; index < regexpFlags.length; index++) {
    const entry = regexpFlags[index];
    if (entry !== undefined && entry[1](value) === true) flags += entry[0];
  }
  const source = String(regexpSource(value));
  const start = writer.end;
  writer.fragment(regexp);
  writer.ascii(flags);
  writer.fragment(sourceIs);
  if (writeExcerpt(walk, source, limits.stringLength)) {
    writer.fragment(closing);
    return;
  }
  writer.end = start;
  budget.cut('RegExp', 'bytes', source.length, source.length);
}

/** Captures a boxed primitive such as `new Number(3)`: an instance of its class with the primitive as `value`. */
function captureBoxed(walk: ValueWalk, value: object, name: string): void {
  const { budget } = walk;
  const { writer } = budget;
  if (!budget.hasRoom(160)) {
    budget.cut(name, 'bytes');
    return;
  }
  writeInstance(walk, name);
  budget.open();
  writer.fragment(valueIs);
  walk.visit(unbox(value), 1, NO_NODE, 'value');
  budget.close();
  closeInstance(walk);
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
): void {
  if (kind === 'Map') captureMap(walk, value, depth, node);
  else captureSet(walk, value, depth, node);
}

function captureMap(walk: ValueWalk, value: object, depth: number, node: Node): void {
  const { budget } = walk;
  const { writer } = budget;
  const size = Number(mapSize(value));
  const iterator = mapEntries(value);
  writer.fragment(map);
  writer.number(size);
  writer.fragment(entriesAre);
  const end = Math.min(size, walk.limits.items);
  let index = 0;
  // The size of a marker is reserved while the key is captured, so that a marker of the entry's value still fits.
  for (; index < end && budget.hasRoom(4 + MARKER_BYTES); index++) {
    const step = mapNext(iterator);
    if (step.done === true) break;
    writer.byte(OPEN_LIST);
    budget.open(MARKER_BYTES);
    walk.visit(step.value[0], depth + 1, node, numberEntryKey(index));
    budget.close(MARKER_BYTES);
    // A string key acts as a name, so it can mark the entry's value as a secret.
    if (walk.isSecret(step.value[0], step.value[1])) walk.secretValue(step.value[1], depth + 1, node, index);
    else walk.visit(step.value[1], depth + 1, node, index);
    writer.close(CLOSE_LIST);
  }
  if (index < size) budget.noteCut();
  writer.close(CLOSE_LIST);
  writer.end--;
  writer.fragment(closing);
}

function captureSet(walk: ValueWalk, value: object, depth: number, node: Node): void {
  const { budget } = walk;
  const { writer } = budget;
  const size = Number(setSize(value));
  const iterator = setValues(value);
  writer.fragment(set);
  writer.number(size);
  writer.fragment(valuesAre);
  const end = Math.min(size, walk.limits.items);
  let index = 0;
  for (; index < end && budget.hasRoom(1); index++) {
    const step = setNext(iterator);
    if (step.done === true) break;
    walk.visit(step.value, depth + 1, node, index);
  }
  if (index < size) budget.noteCut();
  writer.close(CLOSE_LIST);
  writer.end--;
  writer.fragment(closing);
}

/** Captures an error's message, stack, cause and other data properties, such as `code`, or `errors` of an AggregateError. */
export function captureError(walk: ValueWalk, value: object, name: string, depth: number, node: Node): void {
  const { budget } = walk;
  const { writer } = budget;
  const start = writer.end;
  writer.fragment(error);
  writer.string(name);
  writer.fragment(messageIs);
  if (!writeExcerpt(walk, readErrorText(value, 'message') ?? '', MESSAGE_LENGTH)) {
    writer.end = start;
    budget.cut(name, 'bytes');
    return;
  }
  leavePlaceForStack(walk, value);
  const before = writer.end;
  writer.fragment(propertiesAre);
  const first = writer.end;
  captureFields(walk, value, depth, node);
  writeErrors(walk, value, depth, node);
  if (writer.end === first) writer.end = before;
  else {
    writer.close(CLOSE);
    writer.end--;
  }
  writeCause(walk, value, depth, node);
  writer.fragment(closing);
}

function leavePlaceForStack(walk: ValueWalk, error: object): void {
  const { budget, hidesAll } = walk;
  if (hidesAll || !budget.hasRoom(SHOWN_STACK_BYTES)) return;
  budget.charge(SHOWN_STACK_BYTES);
  walk.leavePlaceForStack(error);
}

/** Captures the `errors` of an AggregateError. The property is not enumerable, so it is not captured with the other fields. */
function writeErrors(walk: ValueWalk, value: object, depth: number, node: Node): void {
  const { budget } = walk;
  const descriptor = getOwnPropertyDescriptor(value, 'errors');
  if (descriptor === undefined || descriptor.enumerable === true || !budget.hasRoom(MARKER_BYTES)) return;
  const errors = readOwnData(value, 'errors');
  if (errors === undefined) return;
  budget.writer.fragment(errorsAre);
  walk.visit(errors, depth + 1, node, 'errors');
}

function writeCause(walk: ValueWalk, value: object, depth: number, node: Node): void {
  const { budget } = walk;
  const { writer } = budget;
  const cause = getOwnPropertyDescriptor(value, 'cause');
  if (cause === undefined || !budget.hasRoom(MARKER_BYTES)) return;
  writer.fragment(causeIs);
  if (hasOwn(cause, 'value')) walk.visit(cause.value, depth + 1, node, 'cause');
  else writer.fragment(accessor);
  writer.end--;
}
