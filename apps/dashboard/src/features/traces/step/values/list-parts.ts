import type { CapturedValue, Step, ValuePlace } from '@throughline/contract';
import { findValueDifferences, type ValueDifference } from '@throughline/contract/captured';

/** The values of one kind that a step has, such as its parameters. */
export interface ValuePart {
  readonly title: string;
  readonly place: ValuePlace;
  readonly path: readonly string[];
  readonly value: CapturedValue | undefined;
  readonly note?: string;
}

export interface StepParts {
  /** Values that explain a failure come first. */
  readonly parts: readonly ValuePart[];
  /** The parts of the parameters that the call changed: before (left) and after (right). */
  readonly changed: readonly ValueDifference[];
}

/** If a call changed more members of the parameters, the inputs are shown as a whole instead of a list of changes. */
const MAX_CHANGES = 20;

/**
 * Lists a step's values without duplicates. If the inputs differ from the parameters in at most `MAX_CHANGES` members, `parts` lacks the
 * inputs and `changed` lists the differences. Outputs that equal the return value are omitted.
 */
export function listParts(step: Step): StepParts {
  const { inputs, outputs, variables } = step;
  const parameters = variables?.parameters;
  const changes = findChanges(inputs, parameters);
  const isInputShown = changes === undefined || changes.length > MAX_CHANGES;
  const isOutputShown = findChanges(outputs, variables?.returnValue)?.length !== 0;
  const thrown = variables?.capturedAt === 'throw' ? 'when it threw' : undefined;
  const atEnd = thrown === undefined ? {} : { note: thrown };
  const ofParameters = changes?.length === 0 ? { note: 'unchanged during the call' } : atEnd;
  return {
    parts: [
      {
        title: 'Parameters',
        place: 'parameters',
        path: PATHS.parameters,
        value: parameters,
        ...ofParameters,
      },
      {
        title: 'Local variables',
        place: 'localVariables',
        path: PATHS.localVariables,
        value: variables?.localVariables,
        ...atEnd,
      },
      { title: 'Return value', place: 'returnValue', path: PATHS.returnValue, value: variables?.returnValue },
      { title: 'This context', place: 'thisContext', path: PATHS.thisContext, value: variables?.thisContext },
      ...(isInputShown
        ? [{ title: 'Inputs', place: 'inputs' as const, path: PATHS.inputs, value: inputs, note: 'at entry' }]
        : []),
      ...(isOutputShown
        ? [{ title: 'Outputs', place: 'outputs' as const, path: PATHS.outputs, value: outputs }]
        : []),
      { title: 'Metadata', place: 'metadata', path: PATHS.metadata, value: step.metadata },
    ],
    changed: isInputShown ? [] : changes,
  };
}

/** Finds the differences between two captures of a value; undefined if one capture is missing. */
function findChanges(
  before: CapturedValue | undefined,
  after: CapturedValue | undefined,
): readonly ValueDifference[] | undefined {
  if (before === undefined || after === undefined) return undefined;
  return findValueDifferences(before, after).found;
}

/**
 * Constants, so that a tree receives the same path array in each render. The paths of parameters and variables have no prefix, since code
 * uses these values by their names.
 */
const PATHS = {
  parameters: [],
  localVariables: [],
  returnValue: ['returnValue'],
  thisContext: ['this'],
  inputs: ['inputs'],
  outputs: ['outputs'],
  metadata: ['metadata'],
} as const satisfies Record<string, readonly string[]>;
