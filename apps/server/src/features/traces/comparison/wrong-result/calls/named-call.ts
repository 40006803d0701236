import type { Step } from '@throughline/contract';

/** True for a call of a named function that did not fail. Leaves out callbacks, which are called for each item of a list or each event. */
export function isNamedCall({ stepType, stepName, error }: Step): boolean {
  return stepType === 'function' && error === null && !stepName.endsWith(' callback');
}
