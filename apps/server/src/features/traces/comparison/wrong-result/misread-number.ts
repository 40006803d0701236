import type { ComparisonStatement, Step } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/**
 * Minimum number of other calls, and of different results of these calls. With fewer, the result could equal the number in the text by
 * chance.
 */
const MIN = { calls: 3, values: 2 } as const;

/**
 * Describes a call that received a number as text and returned a different number, if all other calls of the function returned the number
 * that they received as text. For example, `parseInt` reads "1.2E+4" as 1.
 */
export function findMisread(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const result = readResult(step);
  if (typeof result !== 'number' || calls.length < MIN.calls) return undefined;
  for (const [name, { text, written }] of listNumberTexts(step)) {
    if (written === result) continue;
    const others = calls.map((call) => ({ read: listNumberTexts(call).get(name), result: readResult(call) }));
    const isAlways = others.every((other) => other.read !== undefined && other.read.written === other.result);
    if (!isAlways || new Set(others.map((other) => other.result)).size < MIN.values) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${writeSide(result)} for \`${name}\` ${writeSide(text)}; in other calls the return value is always the number in \`${name}\``,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** Lists the texts that a call received and that are numbers, with these numbers. */
function listNumberTexts({
  inputs,
}: Step): ReadonlyMap<string, { readonly text: string; readonly written: number }> {
  return new Map(
    flatten(inputs).flatMap(({ path, value }) => {
      if (typeof value !== 'string' || value.trim() === '' || !Number.isFinite(Number(value))) return [];
      return [[formatPath(path), { text: value, written: Number(value) }] as const];
    }),
  );
}

/** A text with a number at its start, other characters, and further digits, such as "08:30" or "12,50 EUR". */
const NUMBER_AND_DIGITS = /^\s*(\d+)\D+(\d+)\D*$/;

/**
 * Describes a call that returned only the number at the start of a text, although further digits follow, if only zeros followed in all other
 * calls of the function. For example, `parseInt` reads both "09:00" and "08:30" as full hours.
 */
export function findIgnoredDigits(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const result = readResult(step);
  if (typeof result !== 'number' || calls.length < MIN.calls) return undefined;
  for (const [name, { text, first, digits }] of listTextsWithDigits(step)) {
    if (first !== result || isZero(digits)) continue;
    const others = calls.map((call) => ({
      read: listTextsWithDigits(call).get(name),
      result: readResult(call),
    }));
    const isUsual = others.every(
      ({ read, result }) => read !== undefined && read.first === result && isZero(read.digits),
    );
    if (!isUsual || new Set(others.map((other) => other.result)).size < MIN.values) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${writeSide(result)} for \`${name}\` ${writeSide(text)} and ignored ${digits}; in other calls the ignored digits are always zeros`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

interface TextWithDigits {
  readonly text: string;
  /** The number at the start of the text. */
  readonly first: number;
  /** The digits that follow the number. */
  readonly digits: string;
}

function listTextsWithDigits({ inputs }: Step): ReadonlyMap<string, TextWithDigits> {
  return new Map(
    flatten(inputs).flatMap(({ path, value }) => {
      const match = typeof value === 'string' ? NUMBER_AND_DIGITS.exec(value) : null;
      if (match === null) return [];
      const [text, first, digits = ''] = match;
      return [[formatPath(path), { text, first: Number(first), digits }] as const];
    }),
  );
}

function isZero(digits: string): boolean {
  return Number(digits) === 0;
}
