import type { CapturedName } from '../capture/capture-names.ts';
import { readDataAt } from '../summaries/read-data.ts';
import type { PreparedSummary } from '../summaries/summary.ts';
import { getOwnPropertyDescriptor, hasOwn, objectKeys } from '../writer/primordials.ts';
import { readOwnData } from './class-kind.ts';
import { captureField, captureFields, closeInstance, writeInstance, writeSize } from './fields.ts';
import type { Node } from './nodes.ts';
import type { ValueWalk } from './walk.ts';

const UNDERSCORE = '_';
const DOLLAR = '$';

/** Captures an object of a library through selected properties. The other properties do not count as cut. */
export function captureSummary(
  walk: ValueWalk,
  object: object,
  summary: PreparedSummary,
  name: string,
  depth: number,
  node: Node,
): void {
  writeInstance(walk, summary.as ?? name);
  const { fields, fieldsOf } = summary;
  let left = walk.limits.keys;
  let fits = true;
  for (let index = 0; index < fields.length && left > 0 && fits; index++) {
    const field = fields[index];
    if (field === undefined) continue;
    const value = field.read === undefined ? readDataAt(object, field.path) : field.read(object);
    if (value === undefined || value === null) continue;
    fits = captureNamed(walk, walk.names.of(field.name), value, depth, node);
    left--;
  }
  if (summary.hidden !== null && fits) captureOthers(walk, object, summary, left, depth, node);
  const inner = fieldsOf === undefined ? undefined : readOwnData(object, fieldsOf);
  if (typeof inner === 'object' && inner !== null && fits) captureFields(walk, inner, depth, node);
  closeInstance(walk);
}

function captureNamed(
  walk: ValueWalk,
  known: CapturedName,
  value: unknown,
  depth: number,
  node: Node,
): boolean {
  const { budget } = walk;
  if (!budget.hasRoom(known.json.size + 1)) return false;
  budget.writer.fragment(known.json);
  if (walk.isHidden(known.verdict, value)) walk.secretValue(value, depth + 1, node, known.shown);
  else walk.visit(value, depth + 1, node, known.shown);
  if (known.role !== undefined) walk.noteRole(known.role, value);
  return true;
}

function captureOthers(
  walk: ValueWalk,
  object: object,
  { hidden, hidesPrivate }: PreparedSummary,
  most: number,
  depth: number,
  node: Node,
): void {
  const keys = objectKeys(object);
  let known: CapturedName | null = null;
  let left = most;
  for (let index = 0; index < keys.length && left > 0; index++) {
    const key = keys[index] ?? '';
    if (hidden?.[key] === true || (hidesPrivate && (key[0] === UNDERSCORE || key[0] === DOLLAR))) continue;
    known = walk.names.after(known, key);
    if (!captureField(walk, object, key, known, depth, node)) break;
    left--;
  }
}

/**
 * Captures an instance with methods (a repository, a client, another service) that is a field of `this`. Shows the numbers, strings and
 * booleans of the instance, but none of the objects that it contains.
 */
export function captureDependency(
  walk: ValueWalk,
  object: object,
  name: string,
  depth: number,
  node: Node,
): void {
  writeInstance(walk, name);
  const keys = objectKeys(object);
  let left = walk.limits.keys;
  let shown = 0;
  let known: CapturedName | null = null;
  for (let index = 0; index < keys.length && left > 0; index++) {
    const key = keys[index] ?? '';
    if (!isSimple(object, key)) continue;
    known = walk.names.after(known, key);
    if (!captureField(walk, object, key, known, depth, node)) break;
    shown++;
    left--;
  }
  walk.budget.writer.close(0x7d);
  walk.budget.writer.end--;
  writeSize(walk, shown < keys.length ? keys.length : undefined);
}

function isSimple(object: object, key: string): boolean {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined || !hasOwn(descriptor, 'value')) return false;
  const { value } = descriptor;
  return typeof value !== 'function' && (typeof value !== 'object' || value === null);
}
