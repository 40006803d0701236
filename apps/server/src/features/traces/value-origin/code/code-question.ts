import type { Step } from '@throughline/contract';
import type { Target } from '../choose-target.ts';
import type { Occurrence } from '../find-occurrences.ts';
import { findQuery, isExternal, nameOccurrence } from '../write-origin.ts';
import type { SoughtLiteral } from './find-literals.ts';

/** The functions whose source code can show where a value came from. */
export interface CodeQuestion {
  /** The value's name, as in the sentence about its origin. */
  readonly subject: string;
  /** Undefined if the value is too common to be recognized in source code. */
  readonly literal: SoughtLiteral | undefined;
  readonly places: readonly CodePlace[];
}

/** The first function that is known to have the value, or the caller of this function. */
export interface CodePlace {
  readonly stepId: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** The variable or property that has the value; undefined for a result. */
  readonly variable: string | undefined;
  /** How the function got the value: from its own code, from its caller, or by calling another function with the value. */
  readonly role: 'own' | 'received' | 'caller';
}

interface AskedOrigin {
  readonly target: Target;
  readonly first: Occurrence;
  readonly asked: Occurrence;
  readonly steps: readonly Step[];
}

/**
 * Builds the question about the source code. Returns undefined if source code cannot show the origin: the value is neither a text nor a
 * number, or its first occurrence is not exactly the value (`in-text`, `as-text`), is not in a function with a known position, or is in a
 * call of another process, which can have sent it.
 */
export function buildCodeQuestion({ target, first, asked, steps }: AskedOrigin): CodeQuestion | undefined {
  if (target.kind !== 'text' && target.kind !== 'number') return undefined;
  const isWhole = first.how !== 'as-text' && first.how !== 'in-text';
  if (!isWhole || findQuery(first, steps) !== undefined) return undefined;
  const places = listCodePlaces(first, steps);
  if (places.length === 0) return undefined;
  return {
    subject: nameOccurrence(asked),
    literal: target.name === undefined ? { kind: target.kind, text: target.text } : undefined,
    places,
  };
}

/**
 * Lists the functions whose code can show where a value came from: the function in which the value first occurred, and for an input also
 * the caller that passed the value.
 */
function listCodePlaces({ at: { step, place }, path }: Occurrence, steps: readonly Step[]): CodePlace[] {
  if (step === undefined) return [];
  const last = path.at(-1);
  const variable = typeof last === 'string' ? last : undefined;
  if (place === 'localVariables' || place === 'returnValue' || place === 'outputs')
    return isExternal(step) ? [] : toCodePlaces(step, variable, 'own');
  if (place !== 'inputs' && place !== 'parameters') return [];
  const caller = steps.find(({ stepId }) => stepId === step.parentStepId);
  return [
    ...(isExternal(step) ? [] : toCodePlaces(step, variable, 'received')),
    ...(caller === undefined ? [] : toCodePlaces(caller, variable, 'caller')),
  ];
}

/** Returns no place for a step whose position in the code is unknown. */
function toCodePlaces(step: Step, variable: string | undefined, role: CodePlace['role']): CodePlace[] {
  const { stepId, stepName, functionName, filePath, lineNumber } = step;
  if (filePath === null || lineNumber === null) return [];
  return [{ stepId, name: functionName ?? stepName, file: filePath, line: lineNumber, variable, role }];
}
