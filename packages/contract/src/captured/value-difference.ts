import type { CapturedValue } from '../values.ts';
import { addKeys } from './part-keys.ts';
import { listParts, type ValueChild } from './value-children.ts';
import { classifyValue } from './value-shape.ts';
import { formatOwnText } from './value-words.ts';

type Path = readonly (string | number)[];

/** A path at which two captured values differ. `left` (or `right`) is undefined if the left (or right) value has nothing at the path. */
export interface ValueDifference {
  readonly path: Path;
  readonly left: CapturedValue | undefined;
  readonly right: CapturedValue | undefined;
}

/** Differences in display order, and the number of paths compared. */
export interface ValueDifferences {
  readonly found: readonly ValueDifference[];
  readonly looked: number;
}

/** Limits of one comparison. Without them, comparing two values with a million parts each would block the page or the server. */
export interface DifferenceLimits {
  readonly differences: number;
  /** Maximum number of paths to compare. */
  readonly values: number;
}

const DEFAULT_LIMITS: DifferenceLimits = { differences: 100, values: 50_000 };

interface Pair {
  readonly path: Path;
  readonly left: CapturedValue;
  readonly right: CapturedValue;
}

/**
 * Finds the paths at which two captured values differ, in display order. Compares lists by index, and maps by key. A value
 * whose content was not captured ({@link isNotCaptured}) counts as equal to every value except null and undefined. A redacted null
 * counts as equal only to null, and a redacted undefined only to undefined.
 */
export function findValueDifferences(
  left: CapturedValue,
  right: CapturedValue,
  limits: DifferenceLimits = DEFAULT_LIMITS,
): ValueDifferences {
  const found: ValueDifference[] = [];
  const pending: (Pair | ValueDifference)[] = [{ path: [], left, right }];
  let looked = 0;
  for (; looked < limits.values && found.length < limits.differences; looked += 1) {
    const next = pending.pop();
    if (next === undefined) break;
    if (next.left === undefined || next.right === undefined) {
      found.push(next);
      continue;
    }
    const parts = compareOne({ path: next.path, left: next.left, right: next.right });
    if (parts === 'different') found.push(next);
    else for (const part of parts.toReversed()) pending.push(part);
  }
  return { found, looked };
}

/** Finds the value at the path of a {@link ValueDifference}. Returns undefined if there is none. */
export function findValueAt(value: CapturedValue, path: Path): CapturedValue | undefined {
  let at: CapturedValue | undefined = value;
  for (const key of path) {
    if (at === undefined) return undefined;
    at = findPart(at, key);
  }
  return at;
}

/** Finds a part by its key. Does not list the other parts of a list or an object, because there can be a million. */
function findPart(value: CapturedValue, key: string | number): CapturedValue | undefined {
  const shape = classifyValue(value);
  if (shape.kind === 'list') return typeof key === 'number' ? shape.items[key] : undefined;
  if (shape.kind === 'object')
    return Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined;
  return addKeys(listComparedParts(value)).find((part) => part.key === key)?.value;
}

/**
 * Compares two values without their parts. Returns `different` if the values differ as a whole; otherwise returns the pairs of parts to
 * compare next.
 */
function compareOne(pair: Pair): 'different' | readonly (Pair | ValueDifference)[] {
  const { left, right } = pair;
  if (left === right) return [];
  const [leftKind, rightKind] = [describeKind(left), describeKind(right)];
  if (isNotCaptured(left) || isNotCaptured(right)) {
    const bothPresent = isPresent(leftKind) && isPresent(rightKind);
    return bothPresent || leftKind === rightKind ? [] : 'different';
  }
  if (leftKind !== rightKind) return 'different';
  const [leftParts, rightParts] = [listComparedParts(left), listComparedParts(right)];
  if (leftParts.length === 0 && rightParts.length === 0) return isSame(left, right) ? [] : 'different';
  if (formatOwnText(left) !== formatOwnText(right) && leftKind === 'Error') return 'different';
  return compareParts(pair.path, leftParts, rightParts);
}

function compareParts(
  path: Path,
  left: readonly ValueChild[],
  right: readonly ValueChild[],
): (Pair | ValueDifference)[] {
  const rightByKey = new Map(addKeys(right).map(({ key, value }) => [key, value]));
  const parts: (Pair | ValueDifference)[] = [];
  for (const { key, value } of addKeys(left)) {
    parts.push({ path: [...path, key], left: value, right: rightByKey.get(key) });
    rightByKey.delete(key);
  }
  for (const [key, value] of rightByKey) parts.push({ path: [...path, key], left: undefined, right: value });
  return parts;
}

/** Lists the parts of a value to compare: all but an error's stack. A member named `stack` of a plain object is compared like any other. */
function listComparedParts(value: CapturedValue): readonly ValueChild[] {
  return listParts(value).children.filter(({ label }) => label.kind !== 'meta' || label.text !== 'stack');
}

/** Names the kind of a value. Two values of different kinds differ, unless the content of one was not captured. */
export function describeKind(value: CapturedValue): string {
  const shape = classifyValue(value);
  switch (shape.kind) {
    case 'simple':
      return shape.value === null ? 'null' : typeof shape.value;
    case 'list':
      return 'array';
    case 'object':
      return 'object';
    case 'form':
      break;
  }
  const { form } = shape;
  switch (form.$type) {
    case 'number':
      return form.value === '-0' ? 'number' : form.value;
    case 'Date':
      return form.value === null ? 'Invalid Date' : 'Date';
    case 'object':
      return form.class ?? 'object';
    case 'TypedArray':
      return form.class;
    case 'cut':
    case 'redacted':
      return form.of;
    default:
      return form.$type;
  }
}

/** True for a value whose content was not captured. */
export function isNotCaptured(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  if (shape.kind !== 'form') return false;
  return ['cut', 'redacted', 'accessor', 'proxy', 'reference'].includes(shape.form.$type);
}

function isPresent(kind: string): boolean {
  return kind !== 'undefined' && kind !== 'null';
}

/**
 * Compares two values of the same kind that have no parts. Truncated strings (and buffers) are equal if their captured beginnings and their
 * original lengths are equal.
 */
function isSame(left: CapturedValue, right: CapturedValue): boolean {
  const [a, b] = [readText(left), readText(right)];
  if (a.length !== b.length) return false;
  const captured = Math.min(a.text.length, b.text.length);
  return a.text.slice(0, captured) === b.text.slice(0, captured);
}

function readText(value: CapturedValue): { readonly text: string; readonly length: number } {
  const shape = classifyValue(value);
  if (shape.kind === 'form') {
    const { form } = shape;
    if (form.$type === 'string') return { text: form.value, length: form.length };
    if (form.$type === 'Buffer') return { text: form.base64, length: form.size };
  }
  const text = formatOwnText(value);
  return { text, length: text.length };
}
