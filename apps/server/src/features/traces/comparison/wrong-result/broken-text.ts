import type { ComparisonStatement, Step } from '@throughline/contract';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Texts that JavaScript writes for values that have no text of their own. */
const BROKEN = /(?<![\w-])(undefined|NaN|\[object \w+\]|Invalid Date)(?![\w-])/;
const MAX_TEXT = 10_000;

/**
 * Returns a statement if the call returned a text with `undefined`, `NaN`, `[object Object]` or `Invalid Date`, and neither the call's
 * inputs nor the results of other calls contain this word.
 */
export function findBrokenText(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const found = listTexts(readResult(step)).find((text) => BROKEN.test(text));
  const [, word = ''] = BROKEN.exec(found ?? '') ?? [];
  if (found === undefined || listTexts(step.inputs).some((text) => text.includes(word))) return undefined;
  if (calls.some((call) => listTexts(readResult(call)).some((text) => text.includes(word)))) return undefined;
  return {
    text: `\`${nameStep(step)}\` returned a text with “${word}”: ${writeSide(found)}`,
    step: step.stepId,
    other: null,
  };
}

function listTexts(value: Step['inputs']): string[] {
  return flatten(value).flatMap((leaf) =>
    typeof leaf.value === 'string' && leaf.value.length <= MAX_TEXT ? [leaf.value] : [],
  );
}
