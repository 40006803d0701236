import type { CapturedValue } from '@throughline/contract/values';

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

/** An instrumented function, known before it runs. All steps of the function refer to the same site. */
export interface FunctionSite {
  readonly name: string;
  /** Path relative to the project root, mapped through the file's source map. */
  readonly file: string;
  readonly line: number;
  /** Last line in the author's source; 0 if the source map does not contain it. */
  readonly lastLine?: number;
  /** The file from which the function was loaded, and the load time. Absent for code that was instrumented by a build. */
  origin?: SiteOrigin;
  /** The JSON that all steps of the function have in common. Set when the first of these steps is written. */
  written?: WrittenSite;
}

/** An instrumented function. The fields describe the values that the injected calls pass, in order. */
export interface InstrumentedSite extends FunctionSite {
  readonly kind: 'sync' | 'async' | 'generator' | 'async-generator';
  /** Names of the values passed at entry. */
  readonly inputs: readonly string[];
  /** Names of the values passed at exit. The first `parameters` names are parameters, the others are local variables. */
  readonly bindings: readonly string[];
  readonly parameters: number;
  /** True if the function has a `return` with a value, or is an arrow function whose body is an expression. */
  readonly returns: boolean;
  /** The function's role in the framework that calls it, if known. */
  role?: StepType;
}

export interface SiteOrigin {
  /** Absolute path. */
  readonly file: string;
  /** Epoch milliseconds. */
  readonly loadedMs: number;
}

/** JSON bytes that are written often. */
export interface Fragment {
  readonly bytes: Uint8Array;
  /** Number of bytes. A field of its own, because a typed array's length is a getter, which the host can replace. */
  readonly size: number;
}

/** JSON of the name, type and source position of a function's steps. */
export interface WrittenSite {
  readonly stepName: string;
  readonly stepType: StepType;
  readonly timed: TimedJson;
}

/** JSON that ends with the start and end time of a step. Each step overwrites the digits of the times. */
export interface TimedJson {
  readonly json: Fragment;
  /** The epoch second of the two times; NaN if no times have been written yet. */
  second: number;
}

/** A copy of a step's error. It references no objects of the host. */
export interface StepError {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: string;
}

/**
 * Totals of counted calls, with durations in milliseconds. If calls overlap, the sum of durations can exceed the time from the first start
 * to the last end.
 */
export interface Repeat {
  readonly count: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Number of failed calls that are not shown as steps. */
  readonly errors?: number;
}

export interface StepVariables {
  readonly capturedAt: 'exit' | 'throw';
  readonly parameters: Readonly<Record<string, CapturedValue>>;
  readonly localVariables: Readonly<Record<string, CapturedValue>>;
  readonly returnValue?: CapturedValue;
  readonly thisContext?: CapturedValue;
  /**
   * Values that an earlier step already shows, by their name in this step (`return` for the result, `this` for `this`). Each entry contains
   * the id of the earlier step and the value's name there.
   */
  readonly seenBefore?: Readonly<Record<string, readonly [stepId: string, name: string]>>;
}

/** Numbers of steps and values, and of bytes of values, that the limits removed from a recording. */
export interface Dropped {
  readonly steps: number;
  readonly values: number;
  readonly bytes: number;
}
