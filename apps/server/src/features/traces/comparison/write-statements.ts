import {
  type CapturedValue,
  type ComparisonStatement,
  formatCount,
  formatDuration,
  type Step,
} from '@throughline/contract';
import { summarise } from '@throughline/contract/captured';
import { placeText, type StepDifference } from './compare-values.ts';
import type { SlowerCalls } from './find-slower.ts';
import type { Finding, PairedStep } from './walk-differences.ts';

/** Values given to a function that are named before the difference within it. */
const MAX_GIVEN_NAMED = 2;

/** Writes the first difference in a sentence: what the function was given, then what is wrong in it. */
export function writeFirst(first: Finding, findings: readonly Finding[]): ComparisonStatement {
  switch (first.kind) {
    case 'added':
      return {
        text: `\`${nameStep(first.at.left)}\` was called; the other request did not call it`,
        step: first.at.left.stepId,
        other: null,
      };
    case 'missing':
      return {
        text: `\`${nameStep(first.at.right)}\` was not called; the other request called it`,
        step: null,
        other: first.at.right.stepId,
      };
    case 'value':
      return {
        text: writeValue(first.at, first.difference, findings),
        step: first.at.left.stepId,
        other: first.at.right.stepId,
      };
  }
}

function writeValue(at: PairedStep, difference: StepDifference, findings: readonly Finding[]): string {
  const name = nameStep(at.left);
  if (difference.part === 'error') {
    const { error } = at.left;
    return error === null
      ? `\`${name}\` did not fail; in the other request it threw “${at.right.error?.message ?? ''}”`
      : `\`${name}\` threw “${error.message}”; in the other request it did not`;
  }
  const given = findings
    .flatMap((finding) => (finding.kind === 'value' && finding.at === at ? [finding.difference] : []))
    .filter((other) => other.part === 'inputs' && other !== difference)
    .slice(0, MAX_GIVEN_NAMED);
  const isReturned = difference.part === 'returnValue' && difference.path.length === 0;
  const said = isReturned
    ? `\`${name}\` returned ${writeSides(difference)}`
    : `\`${difference.part === 'returnValue' ? 'return value ' : ''}${placeText(difference)}\` is ${writeSides(difference)}`;
  if (difference.part === 'inputs' || given.length === 0) return isReturned ? said : `${said} in \`${name}\``;
  const before = given.map((one) => `\`${placeText(one)}\` is ${writeSides(one)}`).join(' and ');
  return `${before} in \`${name}\`, then ${said}`;
}

function writeSides({ value, otherValue }: StepDifference): string {
  return `${writeSide(value)} instead of ${writeSide(otherValue)}`;
}

/** A value on one line; `nothing` where the other side alone has something at that place. */
export function writeSide(value: CapturedValue | undefined): string {
  if (value === undefined) return 'nothing';
  const { text, className, note } = summarise(value);
  return `${className === undefined ? '' : `${className} `}${text}${note === undefined ? '' : ` (${note})`}`;
}

/** Writes which calls took longer, or were made more often. */
export function writeSlower(slower: SlowerCalls): ComparisonStatement {
  const { step, other, caller, count, otherCount, ms, otherMs } = slower;
  const name = `\`${nameStep(step)}\``;
  const below = caller === undefined ? '' : ` below \`${nameStep(caller)}\``;
  const often = count >= otherCount * 2 && count > 2;
  const text = often
    ? `${name} ran ${times(count)} (${formatDuration(ms)}) instead of ${times(otherCount)} (${formatDuration(otherMs)})${below}`
    : `${name} took ${formatDuration(ms)} instead of ${formatDuration(otherMs)}${below}`;
  return { text, step: step.stepId, other: other?.stepId ?? null };
}

function times(count: number): string {
  if (count === 0) return 'not at all';
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}

function nameStep({ functionName, stepName, stepType }: Step): string {
  return stepType === 'function' || functionName !== null ? (functionName ?? stepName) : stepName;
}
