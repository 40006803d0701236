import type { CapturedName } from '../capture/capture-names.ts';
import { buildFragment } from '../writer/json-writer.ts';
import { getOwnPropertyDescriptor } from '../writer/primordials.ts';
import { isContextKey, listOwnKeys, type OwnKeys } from './keys.ts';
import type { Node } from './nodes.ts';
import { readSymbolName } from './primitive.ts';
import { type Shorten, shortenText } from './text.ts';
import type { ValueWalk } from './walk.ts';

const sizeIs = buildFragment(',"size":');
const closing = buildFragment('},');
const instance = buildFragment('{"$type":"object","class":');
const propertiesAre = buildFragment(',"properties":{');
const CLOSE = 0x7d;

/** Writes `{"$type":"object","class":name,"properties":{`. */
export function writeInstance({ budget: { writer } }: ValueWalk, name: string): void {
  writer.fragment(instance);
  writer.string(name);
  writer.fragment(propertiesAre);
}

export function closeInstance({ budget: { writer } }: ValueWalk): void {
  writer.close(CLOSE);
  writer.end--;
  writer.fragment(closing);
}

export function writeSize({ budget: { writer } }: ValueWalk, size: number | undefined): void {
  if (size !== undefined) {
    writer.fragment(sizeIs);
    writer.number(size);
  }
  writer.fragment(closing);
}

/**
 * Writes an object's own enumerable properties: those with string keys first, then those with symbols, as `Symbol(name)`. If some were left
 * out, returns the number of all properties.
 */
export function captureFields(
  walk: ValueWalk,
  object: object,
  depth: number,
  node: Node,
): number | undefined {
  return captureKeys(walk, object, listOwnKeys(object, walk.limits.keys), depth, node);
}

export function captureKeys(
  walk: ValueWalk,
  object: object,
  { first, size, symbols }: OwnKeys,
  depth: number,
  node: Node,
): number | undefined {
  const { keys: wanted, stringLength } = walk.limits;
  let shown = 0;
  let known: CapturedName | null = null;
  for (; shown < size && shown < wanted; shown++) {
    const key = first[shown] ?? '';
    known = walk.names.after(known, shortenText(key, stringLength, walk.shorten));
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
    const name = findFreeName(taken, symbol, walk.shorten);
    if (!captureField(walk, object, symbol, walk.names.of(name), depth, node)) continue;
    taken[shown] = name;
    shown++;
  }
  if (shown === all) return undefined;
  walk.budget.noteCut();
  return all;
}

export function captureField(
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
  // The keys of a very large object are cached, and this property was deleted after the keys were listed.
  if (descriptor === undefined) return true;
  budget.writer.fragment(known.json);
  if (walk.isHidden(known.verdict, descriptor.value)) walk.secret(descriptor, depth, node, name);
  else if (known.raw) walk.rawHeaders(descriptor, depth, node, name);
  else walk.property(descriptor, depth, node, name);
  if (known.role !== undefined) walk.noteRole(known.role, descriptor.value);
  return true;
}

/** Returns `Symbol(name)`. Adds a number if the object already has a key with that text. */
function findFreeName(taken: readonly string[], symbol: symbol, shorten: Shorten): string {
  const plain = `Symbol(${readSymbolName(symbol, shorten)})`;
  let name = plain;
  for (let copy = 2; isTaken(taken, name); copy++) name = `${plain} ${copy}`;
  return name;
}

function isTaken(taken: readonly string[], name: string): boolean {
  for (let index = 0; index < taken.length; index++) if (taken[index] === name) return true;
  return false;
}
