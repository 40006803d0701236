import type { CapturedValue } from '@throughline/contract';
import {
  addKeys,
  classifyValue,
  describeKind,
  formatOwnText,
  listParts,
} from '@throughline/contract/captured';
import type { RawSteps } from './raw-steps.ts';
import { isContainer, isList, isPlain, type Plain } from './visit-parts.ts';

const MAX_DEPTH = 60;
/** Maximum number of value pairs that one search compares. After that, contents count as different. */
const MAX_PAIRS = 500_000;

/** Compares the contents of objects. A value that was not recorded is equal to no other value. */
export class ContentComparison {
  readonly #steps: RawSteps;
  #left = MAX_PAIRS;

  constructor(steps: RawSteps) {
    this.#steps = steps;
  }

  isEqual(one: CapturedValue, other: CapturedValue, depth = 0): boolean {
    const [left, right] = [this.#steps.follow(one), this.#steps.follow(other)];
    if (!isContainer(left) || !isContainer(right)) return left === right;
    this.#left -= 1;
    if (left === right) return isPlain(left) || isList(left) || isKnown(left);
    if (depth > MAX_DEPTH || this.#left < 0) return false;
    if (isList(left)) return isList(right) && this.#areEqualLists(left, right, depth);
    if (isPlain(left)) return isPlain(right) && this.#areEqualObjects(left, right, depth);
    return !isPlain(right) && this.#areEqualForms(left, right, depth);
  }

  #areEqualLists(left: readonly CapturedValue[], right: readonly CapturedValue[], depth: number): boolean {
    if (left.length !== right.length) return false;
    return left.every((item, index) => this.isEqual(item, right[index] ?? null, depth + 1));
  }

  #areEqualObjects(left: Plain, right: Plain, depth: number): boolean {
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => {
      // An inherited property, such as `__proto__`, is not part of the value.
      if (!Object.hasOwn(right, key)) return false;
      const [one, other] = [left[key], right[key]];
      return one !== undefined && other !== undefined && this.isEqual(one, other, depth + 1);
    });
  }

  #areEqualForms(left: CapturedValue, right: CapturedValue, depth: number): boolean {
    if (!isKnown(left) || !isKnown(right)) return false;
    if (describeKind(left) !== describeKind(right)) return false;
    const [leftParts, rightParts] = [listParts(left), listParts(right)];
    if (leftParts.missing > 0 || rightParts.missing > 0) return false;
    if (leftParts.children.length !== rightParts.children.length) return false;
    if (leftParts.children.length === 0) return formatOwnText(left) === formatOwnText(right);
    if (describeKind(left) === 'Error' && formatOwnText(left) !== formatOwnText(right)) return false;
    const byKey = new Map(addKeys(rightParts.children).map(({ key, value }) => [key, value]));
    return addKeys(leftParts.children).every(({ key, value }) => {
      const there = byKey.get(key);
      return there !== undefined && this.isEqual(value, there, depth + 1);
    });
  }
}

function isKnown(value: CapturedValue): boolean {
  const shape = classifyValue(value);
  if (shape.kind !== 'form') return true;
  return !['cut', 'redacted', 'accessor', 'proxy', 'reference', 'string'].includes(shape.form.$type);
}
