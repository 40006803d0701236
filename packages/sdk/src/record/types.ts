import type { CapturedValue } from '@throughline/contract/values';

/** A step type of the wire format. */
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

/** An instrumented function, known before it runs. Stored once in a static table that steps refer to. */
export interface FunctionSite {
  readonly name: string;
  /** Path relative to the project root, mapped through the file's source map. */
  readonly file: string;
  readonly line: number;
  /** Last line in the author's source; 0 if the source map does not contain it. */
  readonly lastLine?: number;
  /** The loaded file and its load time. Absent for code that was instrumented by a build. */
  origin?: SiteOrigin;
  /** The JSON that is the same in each of the function's steps. Set when the first step is written. */
  written?: WrittenSite;
}

/** The file from which a function was loaded. */
export interface SiteOrigin {
  /** Absolute path. */
  readonly file: string;
  /** Epoch milliseconds. */
  readonly loadedMs: number;
}

/** JSON bytes that are written often. */
export interface Fragment {
  readonly bytes: Uint8Array;
  /** Number of bytes. A typed array's own length is a getter, which the host can replace. */
  readonly size: number;
}

/** JSON of the name, type and source position of a function's steps. */
export interface WrittenSite {
  readonly stepName: string;
  readonly stepType: StepType;
  readonly json: Fragment;
}

/** A copy of a step's error. Holds no reference to host objects. */
export interface StepError {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: string;
}

/** Totals of counted calls, in milliseconds. If calls overlap, the sum can exceed the time between start and end. */
export interface Repeat {
  readonly count: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Failed calls that are not shown as steps. */
  readonly errors?: number;
}

export interface StepVariables {
  readonly capturedAt: 'exit' | 'throw';
  readonly parameters: Readonly<Record<string, CapturedValue>>;
  readonly localVariables: Readonly<Record<string, CapturedValue>>;
  readonly returnValue?: CapturedValue;
  readonly thisContext?: CapturedValue;
  /**
   * Values that an earlier step already shows, keyed by name here (`return` for the result, `this` for `this`): that step's id and the name
   * there.
   */
  readonly seenBefore?: Readonly<Record<string, readonly [stepId: string, name: string]>>;
}

/** The number of items that a limit cut from a recording. */
export interface Dropped {
  readonly steps: number;
  readonly values: number;
  readonly bytes: number;
}
