import type { CapturedValue, Step } from '@throughline/contract';
import { wordsIn } from '../values/value-words.ts';

/** A part of a step and what can be found in it. */
interface StepWords {
  /** As people call the part; the name needs none. */
  readonly part: string | undefined;
  /** In lower case. */
  readonly text: string;
}

/** Reading a value's words takes longer than looking through them. */
const known = new WeakMap<Step, readonly StepWords[]>();

/** A step's searchable texts: its name first, then its place and error, then its values as far as it has them. */
export function wordsOfStep(step: Step): readonly StepWords[] {
  const before = known.get(step);
  if (before !== undefined) return before;
  const words = [...wordsOfFacts(step), ...wordsOfValues(step)].filter(({ text }) => text !== '');
  known.set(step, words);
  return words;
}

function wordsOfFacts(step: Step): StepWords[] {
  const { error } = step;
  const place = step.filePath === null ? '' : `${step.filePath}:${step.lineNumber ?? ''}`;
  const facts: readonly (readonly [string | undefined, readonly (string | number | null | undefined)[]])[] = [
    [undefined, [step.stepName]],
    ['function', [step.functionName]],
    ['type', [step.stepType]],
    ['file', [place]],
    ['error', [error?.name, error?.message, error?.code]],
  ];
  return facts.map(([part, texts]) => ({ part, text: texts.join('\n').toLowerCase() }));
}

function wordsOfValues({ inputs, outputs, variables, metadata }: Step): StepWords[] {
  const values: readonly (readonly [string, CapturedValue | undefined])[] = [
    ['parameters', variables?.parameters],
    ['inputs', inputs],
    ['local variables', variables?.localVariables],
    ['return value', variables?.returnValue],
    ['outputs', outputs],
    ['this context', variables?.thisContext],
    ['metadata', metadata],
  ];
  return values.map(([part, value]) => ({
    part,
    text: value === undefined ? '' : wordsIn(value).toLowerCase(),
  }));
}
