import type { SourceFunction, Step } from '@throughline/contract';

/** One call of a function, with what is needed to find the lines that it ran. */
export interface Call {
  readonly source: SourceFunction;
  readonly file: string;
  readonly step: Step;
  /** The line on which the step threw. */
  readonly thrown: number | undefined;
  /** The steps that the call made itself. */
  readonly children: readonly Step[];
}
