import type { ComparedStep } from '@throughline/contract';

/** Builds a call that both requests made, 2 ms here and 3 ms in the other request. */
export const aComparedCall = (name: string, more: Partial<ComparedStep> = {}): ComparedStep => ({
  step: name,
  other: name,
  name: name.replace(/\d+$/, ''),
  type: 'function',
  duration: 2,
  otherDuration: 3,
  failed: false,
  otherFailed: false,
  depth: 1,
  moved: false,
  calls: 1,
  otherCalls: 1,
  differences: 0,
  unusual: 0,
  ...more,
});
