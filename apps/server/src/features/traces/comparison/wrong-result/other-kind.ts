import type { ComparisonStatement, Step } from '@throughline/contract';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Minimum number of other calls. With fewer, texts and numbers can both be usual. */
const MIN_CALLS = 4;
const NOUNS = { string: 'text', number: 'number' } as const;
type Kind = keyof typeof NOUNS;

/**
 * Returns a statement if the call returned a text and all other calls a number, or the reverse. Such a text often comes from `+`, which
 * joins texts instead of adding numbers.
 */
export function findOtherKind(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const result = readResult(step);
  const kind = typeof result;
  if (result === undefined || !isKind(kind) || calls.length < MIN_CALLS) return undefined;
  const usual = kind === 'string' ? 'number' : 'string';
  if (!calls.every((call) => typeof readResult(call) === usual)) return undefined;
  return {
    text: `\`${nameStep(step)}\` returned the ${NOUNS[kind]} ${writeSide(result)}; in other calls it always returned a ${NOUNS[usual]}`,
    step: step.stepId,
    other: null,
  };
}

function isKind(kind: string): kind is Kind {
  return kind in NOUNS;
}
