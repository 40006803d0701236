import type { CapturedValue } from '@throughline/contract/values';
import type { ActiveStep } from './active-step.ts';
import type { FunctionSite, StepType, StepVariables } from './types.ts';
import type { StepValue } from './writer/captured-text.ts';

export interface StepStart {
  readonly name: string;
  readonly type: StepType;
  /** The step's parent. If undefined, the current step is the parent; if null, the step has no parent. */
  readonly parent?: ActiveStep | null;
  readonly site?: FunctionSite;
  readonly inputs?: StepValue;
  readonly metadata?: Readonly<Record<string, CapturedValue>>;
  /**
   * True if the step represents a call of one function. If that function is instrumented (see `isInstrumented`), the function's frame adds
   * name, file, line, values and error to this step, and ends the step unless `close` has ended it already.
   */
  readonly adopts?: boolean;
}

export interface StepEnd {
  readonly outputs?: StepValue;
  readonly variables?: StepVariables;
  readonly error?: unknown;
  readonly metadata?: Readonly<Record<string, CapturedValue>>;
}
