import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/**
 * Minimum number of other calls, and of different results of these calls. With fewer, the result could equal the number in the text by
 * chance.
 */
const MIN = { calls: 3, values: 2 } as const;

/** A usual relation between a text that a function receives and the number that it returns. */
interface Relation<Read> {
  /** Reads a text of the inputs; undefined if the text does not have the form that the relation is about. */
  readonly read: (text: string) => Read | undefined;
  readonly isUsual: (read: Read, result: CapturedValue) => boolean;
  /** Returns the end of a sentence about a call in which the relation does not hold; undefined if the call is not reported. */
  readonly describe: (read: Read, result: number, name: string) => string | undefined;
}

const WRITTEN: Relation<number> = {
  read: (text) => (text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)),
  isUsual: (written, result) => written === result,
  describe: (_written, _result, name) =>
    `; in other calls the return value is always the number in \`${name}\``,
};

/** A text with a number at its start, other characters, and further digits, such as "08:30" or "12,50 EUR". */
const NUMBER_AND_DIGITS = /^\s*(\d+)\D+(\d+)\D*$/;

const WITHOUT_DIGITS: Relation<{ readonly first: number; readonly digits: string }> = {
  read(text) {
    const [, first, digits] = NUMBER_AND_DIGITS.exec(text) ?? [];
    return digits === undefined ? undefined : { first: Number(first), digits };
  },
  isUsual: ({ first, digits }, result) => first === result && Number(digits) === 0,
  describe: ({ first, digits }, result) =>
    first === result
      ? ` and ignored ${digits}; in other calls the ignored digits are always zeros`
      : undefined,
};

/**
 * Describes a call that received a number as text and returned a different number, if all other calls of the function returned the number
 * that they received as text. For example, `parseInt` reads "1.2E+4" as 1.
 */
export function findMisread(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  return findUnusual(step, calls, WRITTEN);
}

/**
 * Describes a call that returned only the number at the start of a text, although the text has further digits. In all other calls of the
 * function, the further digits were zeros. For example, `parseInt` reads both "09:00" and "08:30" as full hours.
 */
export function findIgnoredDigits(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  return findUnusual(step, calls, WITHOUT_DIGITS);
}

/**
 * Describes a call in which `relation` does not hold between a text and the result, although `relation` holds for the text of the same name
 * in all other calls of the function.
 */
function findUnusual<Read>(
  step: Step,
  calls: readonly Step[],
  relation: Relation<Read>,
): ComparisonStatement | undefined {
  const result = readResult(step);
  if (typeof result !== 'number' || calls.length < MIN.calls) return undefined;
  for (const [name, { text, read }] of listTexts(step, relation)) {
    if (relation.isUsual(read, result)) continue;
    const others = calls.map((call) => ({
      read: listTexts(call, relation).get(name)?.read,
      result: readResult(call),
    }));
    const isAlways = others.every(
      (other) =>
        other.read !== undefined && other.result !== undefined && relation.isUsual(other.read, other.result),
    );
    if (!isAlways || new Set(others.map((other) => other.result)).size < MIN.values) continue;
    const end = relation.describe(read, result, name);
    if (end === undefined) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${writeSide(result)} for \`${name}\` ${writeSide(text)}${end}`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** Lists the received texts that have the form which the relation is about, by their names. */
function listTexts<Read>(
  { inputs }: Step,
  { read }: Relation<Read>,
): ReadonlyMap<string, { readonly text: string; readonly read: Read }> {
  return new Map(
    flatten(inputs).flatMap(({ path, value }) => {
      const found = typeof value === 'string' ? read(value) : undefined;
      return found === undefined ? [] : [[formatPath(path), { text: String(value), read: found }] as const];
    }),
  );
}
