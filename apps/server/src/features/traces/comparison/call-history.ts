import type { CapturedValue, Step } from '@throughline/contract';
import { addKeys, describeKind, isNotCaptured, listParts } from '@throughline/contract/captured';
import { identifyCall } from './align-steps.ts';
import { readResult } from './compare-values.ts';
import { describeShape, isOdd, judgeDifference } from './judge-difference.ts';

/**
 * Minimum number of successful calls, and minimum number of values that these calls have in one position. With fewer, a value that no call
 * had can still be normal.
 */
const MIN_CALLS = 3;
/** Limits of the learned values, so that a comparison of large requests stays fast. */
const LIMITS = { calls: 100, values: 60, depth: 3, items: 20, distinct: 30 } as const;

export type Path = readonly (string | number)[];
/** A value in an input, a variable or a result, and its position. */
export interface Leaf {
  readonly path: Path;
  readonly value: CapturedValue;
}
export type LearnedPart = 'inputs' | 'localVariables' | 'returnValue';

/** The value at which a failure or a wrong result began, and the call that had this value. */
export interface Origin extends Leaf {
  readonly step: Step;
  readonly part: LearnedPart;
}

/** Number of values that successful calls had in one position, and the distinct values among them. */
interface Learned {
  readonly count: number;
  readonly values: readonly CapturedValue[];
}

/** Remembers the calls of each function in successful requests, no matter which function made the call. */
export class CallHistory {
  readonly #called: ReadonlySet<string>;
  readonly #calls: ReadonlyMap<string, readonly Step[]>;
  readonly #learned = new Map<string, ReadonlyMap<string, Learned>>();

  constructor(goods: readonly (readonly Step[])[]) {
    const all = Map.groupBy(goods.flat(), identifyCall);
    this.#called = new Set(all.keys());
    this.#calls = new Map(
      [...all].map(([key, calls]) => [
        key,
        calls.filter(({ error }) => error === null).slice(0, LIMITS.calls),
      ]),
    );
  }

  /** Lists the first `LIMITS.calls` successful calls of a step's function. */
  list(step: Step): readonly Step[] {
    return this.#calls.get(identifyCall(step)) ?? [];
  }

  /** True if a successful request called the step's function. */
  has(step: Step): boolean {
    return this.#called.has(identifyCall(step));
  }

  /**
   * Lists the values in a part of the step that are unlike the values of all successful calls of the same function in the same position:
   * another kind, size or form, or the other boolean.
   */
  listOdd(step: Step, part: LearnedPart): Leaf[] {
    const value = readPart(step, part);
    if (value === undefined || this.list(step).length < MIN_CALLS) return [];
    const learned = this.#learn(step, part);
    return flatten(value).filter((leaf) => {
      const known = learned.get(toKey(leaf.path));
      return known !== undefined && known.count >= MIN_CALLS && isOddValue(leaf.value, known.values);
    });
  }

  #learn(step: Step, part: LearnedPart): ReadonlyMap<string, Learned> {
    const key = `${part} ${identifyCall(step)}`;
    const known = this.#learned.get(key);
    if (known !== undefined) return known;
    const learned = new Map<string, Learned>();
    for (const call of this.list(step)) {
      for (const { path, value } of flatten(readPart(call, part))) {
        const place = toKey(path);
        const { count = 0, values = [] } = learned.get(place) ?? {};
        const isKnown = values.length >= LIMITS.distinct || values.some((other) => isAlike(value, other));
        learned.set(place, { count: count + 1, values: isKnown ? values : [...values, value] });
      }
    }
    this.#learned.set(key, learned);
    return learned;
  }
}

function isOddValue(value: CapturedValue, others: readonly CapturedValue[]): boolean {
  if (isNotCaptured(value) || others.some(isNotCaptured)) return false;
  if (others.some((other) => isAlike(value, other))) return false;
  const judgement = judgeDifference(value, others);
  return isOdd(judgement) || judgement === 'unlike' || typeof value === 'boolean';
}

/** True for equal values. Also true for objects and lists of the same kind, because their members are compared separately. */
function isAlike(value: CapturedValue, other: CapturedValue): boolean {
  if (typeof value !== 'object' || value === null) return value === other;
  return describeShape(value) === describeShape(other);
}

function readPart(step: Step, part: LearnedPart): CapturedValue | undefined {
  if (part === 'localVariables') return step.variables?.localVariables;
  return part === 'inputs' ? step.inputs : readResult(step);
}

/** Returns the key of a position. All items of a list share one position, because the length and order of a list vary. */
function toKey(path: Path): string {
  return JSON.stringify(path.map((key) => (typeof key === 'number' ? '*' : key)));
}

/** Lists a value and the values in it, within `LIMITS`. */
export function flatten(value: CapturedValue | undefined): Leaf[] {
  const found: Leaf[] = value === undefined ? [] : [{ path: [], value }];
  for (let at = 0; at < found.length && found.length < LIMITS.values; at += 1) {
    const leaf = found[at];
    if (leaf === undefined || leaf.path.length >= LIMITS.depth) continue;
    const parts = addKeys(listParts(leaf.value).children.slice(0, LIMITS.items));
    for (const { key, value: member } of parts) found.push({ path: [...leaf.path, key], value: member });
  }
  return found;
}

/** True for a value that means that nothing was found. */
export function isMissing(value: CapturedValue): boolean {
  const kind = describeKind(value);
  if (value === -1 || value === '' || ['undefined', 'null'].includes(kind)) return true;
  return (
    ['array', 'Map', 'Set'].includes(kind) && listParts(value).children.length === 0 && !isNotCaptured(value)
  );
}
