import type { Step } from '../traces/traces.ts';
import type { CapturedValue } from '../values.ts';
import { listWords } from './value-words.ts';

/** A searchable field of a step, and its content. */
export interface StepWords {
  /** Name of the field as users see it; undefined for the step's name. */
  readonly part: string | undefined;
  /** Content in lower case. */
  readonly text: string;
}

/** Splits a search string into words. A step matches if it contains every word. */
export function splitSearch(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Finds for each searched word the first field that contains the word. Returns the names of the found fields, without the step's name.
 * Returns undefined if any word is in none of the fields.
 */
export function findWords(step: readonly StepWords[], words: readonly string[]): string[] | undefined {
  const parts = new Set<string | undefined>();
  for (const word of words) {
    const found = step.find(({ text }) => text.includes(word));
    if (found === undefined) return undefined;
    parts.add(found.part);
  }
  return [...parts].filter((part) => part !== undefined);
}

/** Lists a step's searchable strings: its name first, then its function, type, file and error, then its captured values and metadata. */
export function readStepWords(step: Step): StepWords[] {
  return [...listFactWords(step), ...listValueWords(step)].filter(({ text }) => text !== '');
}

function listFactWords(step: Step): StepWords[] {
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

function listValueWords({ inputs, outputs, variables, metadata }: Step): StepWords[] {
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
    text: value === undefined ? '' : listWords(value).toLowerCase(),
  }));
}
