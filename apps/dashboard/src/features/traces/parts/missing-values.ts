import type { CapturedValue, Step, Trace } from '@throughline/contract';
import { isLibraryCode } from '../../../visuals/steps/own-code.ts';

/** Describes which of a step's values are missing, and why if known. `missing` contains the values' titles. */
export function describeMissingValues(
  step: Step,
  missing: readonly string[],
  { dropped }: Pick<Trace, 'dropped'>,
): string {
  const others = missing.filter((title) => title !== 'Return value');
  const noReturn = missing.length > others.length ? explainNoReturn(step) : undefined;
  const listed = noReturn === undefined ? missing : others;
  const hasValues = step.variables !== undefined || step.inputs !== undefined || step.outputs !== undefined;
  const why = hasValues ? undefined : explainNoValues(step, dropped);
  const names = listed.map((title) => title.toLowerCase()).join(', ');
  const rest = listed.length === 0 ? [] : [`Not captured: ${names}${why === undefined ? '' : ` (${why})`}.`];
  return [...(noReturn === undefined ? [] : [noReturn]), ...rest].join(' ');
}

function explainNoReturn({ variables, error, metadata }: Step): string | undefined {
  if (isUnfinished(metadata))
    return 'No return value: the function was still running when the request ended.';
  if (variables?.capturedAt === 'throw' || (variables !== undefined && error !== null))
    return 'No return value: the function threw.';
  return undefined;
}

function isUnfinished(metadata: CapturedValue | undefined): boolean {
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    'unfinished' in metadata &&
    metadata.unfinished === true
  );
}

function explainNoValues(step: Step, dropped: Trace['dropped']): string | undefined {
  const { stepType } = step;
  if (isLibraryCode(step)) return 'values of library code are not recorded';
  // `dropped.values` is not checked: values that are missing individually are marked in the value tree.
  if (dropped.bytes > 0) return 'the recording reached a limit';
  if (stepType === 'function' || stepType === 'handler' || stepType === 'middleware')
    return 'recorded without values, because of capture mode structure, library code or high load';
  return undefined;
}
