import type { CapturedValue, Step } from '@throughline/contract';
import { formatPath, listParts } from '@throughline/contract/captured';
import { flatten, type Leaf } from '../call-history.ts';
import { readMembers, readResult } from '../compare-values.ts';
import { oncePer } from '../once-per.ts';

/** Minimum number of calls and of different results. Fewer could follow a formula by chance. */
const MIN = { calls: 3, results: 2 } as const;
/** Maximum number of numbers from a call's inputs that are combined with each other. */
const MAX_NUMBERS = 8;
/** A list with more items is not added up. */
const MAX_ITEMS = 100;

/** The numbers that can be calculated from a call's inputs, by formula. */
type Formulas = ReadonlyMap<string, number>;

/**
 * Finds a number in the result that all other calls calculated from their inputs by one formula, but this call did not. Formulas are the
 * sum of a list, the number of its items, and the sum, difference or product of two numbers.
 */
export function findOtherFormula(step: Step, calls: readonly Step[]): Leaf | undefined {
  if (calls.length < MIN.calls) return undefined;
  const own = readCall(step).formulas;
  if (own.size === 0) return undefined;
  const others = calls.map(readCall);
  for (const leaf of listResults(step)) {
    const place = formatPath(leaf.path);
    const results = others.map((other) => other.results.get(place));
    if (results.includes(undefined) || new Set(results).size < MIN.results) continue;
    const usual = [...own.keys()].filter((formula) =>
      others.every((other, at) => isNear(other.formulas.get(formula), results[at])),
    );
    if (usual.length > 0 && !usual.some((formula) => isNear(own.get(formula), leaf.value))) return leaf;
  }
  return undefined;
}

const readCall = oncePer((step: Step) => ({
  formulas: listFormulas(step),
  results: listNumbers(readResult(step)),
}));

function listResults(step: Step): (Leaf & { readonly value: number })[] {
  return flatten(readResult(step)).flatMap(({ path, value }) =>
    path.length <= 1 && typeof value === 'number' ? [{ path, value }] : [],
  );
}

function listNumbers(value: CapturedValue | undefined): ReadonlyMap<string, number> {
  return new Map(
    flatten(value).flatMap(({ path, value: number }) =>
      typeof number === 'number' && path.every((key) => typeof key === 'string')
        ? [[formatPath(path), number] as const]
        : [],
    ),
  );
}

function listFormulas({ inputs }: Step): Formulas {
  const numbers = [...listNumbers(inputs)].slice(0, MAX_NUMBERS);
  const formulas = new Map<string, number>();
  for (const [name, list] of readMembers(inputs)) {
    for (const [member, sum] of sumList(list)) formulas.set(`sum ${name} ${member}`, sum);
  }
  for (const [at, [one, a]] of numbers.entries()) {
    for (const [other, b] of numbers.slice(at + 1)) {
      formulas.set(`${one} + ${other}`, a + b);
      formulas.set(`${one} - ${other}`, a - b);
      formulas.set(`${other} - ${one}`, b - a);
      formulas.set(`${one} * ${other}`, a * b);
    }
  }
  return formulas;
}

/** Adds up the numbers of a list, and each numeric member of its items. The member `length` is the number of items. */
function sumList(list: CapturedValue): ReadonlyMap<string, number> {
  const { children } = listParts(list);
  const sums = new Map<string, number>();
  if (children.length > MAX_ITEMS || !children.every(({ label }) => label.kind === 'index')) return sums;
  sums.set('length', children.length);
  for (const { value } of children) {
    const members = typeof value === 'number' ? [['', value] as const] : [...readMembers(value)];
    for (const [name, number] of members) {
      if (typeof number === 'number') sums.set(name, (sums.get(name) ?? 0) + number);
    }
  }
  return sums;
}

/** True if two numbers differ by about 0.005 at most, because results are often rounded to cents. */
function isNear(a: number | undefined, b: CapturedValue | undefined): boolean {
  return a !== undefined && typeof b === 'number' && Math.abs(a - b) <= 0.005 + Math.abs(b) * 1e-9;
}
