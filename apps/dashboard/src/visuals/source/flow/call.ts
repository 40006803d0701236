import type { SourceFunction, Step } from '@throughline/contract';

/** One call of a function, with the facts that show which lines the call ran. */
export interface Call {
  readonly source: SourceFunction;
  readonly file: string;
  readonly step: Step;
  /** The line on which the step threw. */
  readonly thrown: number | undefined;
  /** The child steps of the call's step. */
  readonly children: readonly Step[];
}
