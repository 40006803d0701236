import type { ComparisonStatement, Step } from '@throughline/contract';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { oncePer } from '../once-per.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Minimum number of other calls that returned a part of the same form. With fewer, it is unclear if the function looks for such parts. */
const MIN_CALLS = 3;
/**
 * Matches the parts of a text. A part counts only if it has a digit and at least `MIN_LENGTH` characters, such as RX-204117. Shorter parts,
 * such as numbers of items, are in results by chance.
 */
const PART = /[\p{L}\p{N}]+(?:[-_./:][\p{L}\p{N}]+)*/gu;
const MIN_LENGTH = 6;
const MAX_TEXT = 10_000;

interface Part {
  readonly name: string;
  readonly part: string;
  readonly form: string;
}
/** The parts of a call's texts, by form. */
interface CallParts {
  readonly missed: ReadonlyMap<string, Part>;
  readonly returned: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds a call that received a text with a part of a certain form, such as AA-999999, but did not return this part. All other calls that
 * received a part of this form returned it.
 */
export function findMissedPart(
  steps: readonly Step[],
  listCalls: (step: Step) => readonly Step[],
): ComparisonStatement | undefined {
  const read = oncePer(readParts);
  for (const step of steps) {
    const found = findInCall(step, listCalls(step), read);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInCall(
  step: Step,
  calls: readonly Step[],
  read: (step: Step) => CallParts,
): ComparisonStatement | undefined {
  if (calls.length < MIN_CALLS) return undefined;
  const { missed } = read(step);
  if (missed.size === 0) return undefined;
  const others = calls.map(read);
  for (const [form, { name, part }] of missed) {
    if (others.some((other) => other.missed.has(form))) continue;
    const parts = new Set(others.flatMap(({ returned }) => returned.get(form) ?? []));
    const found = others.filter(({ returned }) => returned.has(form));
    if (found.length < MIN_CALLS || parts.size < MIN_CALLS) continue;
    return {
      text: `\`${name}\` contains ${writeSide(part)}, but \`${nameStep(step)}\` returned ${writeSide(readResult(step))}; in other calls the return value contains a part of \`${name}\` with this form`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/**
 * Finds the parts of a call's texts that the result contains (`returned`). A form of which the result contains no part is in `missed`, with
 * the first part of this form.
 */
function readParts(step: Step): CallParts {
  const parts = listParts(step);
  const returned = findReturned(step, parts);
  const missed = new Map<string, Part>();
  if (readResult(step) === undefined) return { missed, returned };
  for (const part of parts) {
    if (!returned.has(part.form) && !missed.has(part.form)) missed.set(part.form, part);
  }
  return { missed, returned };
}

/** Finds the given parts that the result contains, by form. */
function findReturned(step: Step, parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const results = new Set(
    flatten(readResult(step)).flatMap(({ value }) =>
      typeof value === 'string' ? [value.toLowerCase()] : [],
    ),
  );
  const found = parts.filter(({ part }) => results.has(part.toLowerCase()));
  return new Map(
    [...Map.groupBy(found, ({ form }) => form)].map(([form, each]) => [form, each.map(({ part }) => part)]),
  );
}

function listParts(step: Step): Part[] {
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
