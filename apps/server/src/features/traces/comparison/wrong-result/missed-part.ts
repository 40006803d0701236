import type { ComparisonStatement, Step } from '@throughline/contract';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../write-values.ts';

/** With fewer other calls, the function does not clearly look for such parts. */
const MIN_CALLS = 3;
/** A part of a text with a digit, such as RX-204117. Shorter parts, such as numbers of items, are in results by chance. */
const PART = /[\p{L}\p{N}]+(?:[-_./:][\p{L}\p{N}]+)*/gu;
const MIN_LENGTH = 6;
const MAX_TEXT = 10_000;

/**
 * Finds a function that returned no part of its text, although the text has a part of the form that the function returned in all other
 * calls with such a part.
 */
export function findMissedPart(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  if (calls.length < MIN_CALLS) return undefined;
  const missed = findMissed(step);
  if (missed.size === 0) return undefined;
  const others = calls.map((call) => ({ missed: findMissed(call), returned: findReturned(call) }));
  for (const [form, { name, part }] of missed) {
    if (others.some((other) => other.missed.has(form))) continue;
    const parts = new Set(others.flatMap(({ returned }) => returned.get(form) ?? []));
    const found = others.filter(({ returned }) => returned.has(form));
    if (found.length < MIN_CALLS || parts.size < MIN_CALLS) continue;
    return {
      text: `\`${name}\` contains ${writeSide(part)}, but \`${nameStep(step)}\` returned ${writeSide(readResult(step))}; in other calls the return value has such a part`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** Finds the first part of each form, if the result has no part of this form. */
function findMissed(step: Step): ReadonlyMap<string, { readonly name: string; readonly part: string }> {
  const returned = findReturned(step);
  const missed = new Map<string, { readonly name: string; readonly part: string }>();
  if (readResult(step) === undefined) return missed;
  for (const { name, part, form } of listParts(step)) {
    if (!returned.has(form) && !missed.has(form)) missed.set(form, { name, part });
  }
  return missed;
}

/** Finds the parts of the texts that the result contains, by form. */
function findReturned(step: Step): ReadonlyMap<string, readonly string[]> {
  const results = new Set(
    flatten(readResult(step)).flatMap(({ value }) =>
      typeof value === 'string' ? [value.toLowerCase()] : [],
    ),
  );
  const found = listParts(step).filter(({ part }) => results.has(part.toLowerCase()));
  return new Map(
    [...Map.groupBy(found, ({ form }) => form)].map(([form, parts]) => [form, parts.map(({ part }) => part)]),
  );
}

function listParts(step: Step): { readonly name: string; readonly part: string; readonly form: string }[] {
  return flatten(step.inputs).flatMap(({ path, value }) => {
    if (typeof value !== 'string' || value.length > MAX_TEXT || !/\s/.test(value)) return [];
    const parts = value.match(PART) ?? [];
    return parts
      .filter((part) => part.length >= MIN_LENGTH && /\d/.test(part))
      .map((part) => ({
        name: path.join('.'),
        part,
        form: part.replaceAll(/\p{L}/gu, 'A').replaceAll(/\d/g, '9'),
      }));
  });
}
