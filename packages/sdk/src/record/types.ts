import type { CapturedValue } from '@throughline/contract/values';

/** What a step is, as the wire says it. */
export type StepType =
  | 'middleware'
  | 'handler'
  | 'function'
  | 'database'
  | 'http'
  | 'cache'
  | 'queue'
  | 'log'
  | 'custom';

/** One instrumented function, known before it runs. Kept once in a static table; steps point at it. */
export interface FunctionSite {
  readonly name: string;
  /** As the author wrote it: mapped through the file's source map when it has one, relative to the project's root. */
  readonly file: string;
  readonly line: number;
  /** What a step of it says that is the same each time, once one has been written. */
  written?: WrittenSite;
}

/** JSON that is written often, as bytes. */
export interface Fragment {
  readonly bytes: Uint8Array;
  /** How many of them; a typed array's own length is a getter, which the host may have replaced. */
  readonly size: number;
}

/** The name, type and place of a function's steps as JSON. */
export interface WrittenSite {
  readonly stepName: string;
  readonly stepType: StepType;
  readonly json: Fragment;
}

/** What went wrong in a step, already a copy: nothing in it points into the host. */
export interface StepError {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: string;
}

/** What is known of calls that were counted together. Milliseconds; the sum may exceed the time between start and end where calls overlap. */
export interface Repeat {
  readonly count: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Calls that failed, beyond those that are shown as steps of their own. */
  readonly errors?: number;
}

export interface StepVariables {
  readonly capturedAt: 'exit' | 'throw';
  readonly parameters: Readonly<Record<string, CapturedValue>>;
  readonly localVariables: Readonly<Record<string, CapturedValue>>;
  readonly returnValue?: CapturedValue;
  readonly thisContext?: CapturedValue;
  /** What another step showed before, by the name that it has here (`return` and `this` for the result and `this`): the step's id and its name there. */
  readonly seenBefore?: Readonly<Record<string, readonly [stepId: string, name: string]>>;
}

/** What a limit cut from a recording. */
export interface Dropped {
  readonly steps: number;
  readonly values: number;
  readonly bytes: number;
}
