import type { Step } from '../traces/traces.ts';
import type { CapturedValue } from '../values.ts';
import { wordsIn } from './value-words.ts';

/** A part of a step and what can be found in it. */
export interface StepWords {
  /** As people call the part; the name needs none. */
  readonly part: string | undefined;
  /** In lower case. */
  readonly text: string;
}

/** Splits a text that steps are searched for. Each word must be somewhere in a step. */
export function searchedWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The parts of a step, but for its name, in which words were found. Undefined unless each was found somewhere. */
export function findWords(step: readonly StepWords[], words: readonly string[]): string[] | undefined {
  const parts = new Set<string | undefined>();
  for (const word of words) {
    const found = step.find(({ text }) => text.includes(word));
    if (found === undefined) return undefined;
    parts.add(found.part);
  }
  return [...parts].filter((part) => part !== undefined);
}

/** A step's searchable texts: its name first, then its place and error, then its values as far as it has them. */
export function readStepWords(step: Step): StepWords[] {
  return [...wordsOfFacts(step), ...wordsOfValues(step)].filter(({ text }) => text !== '');
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
