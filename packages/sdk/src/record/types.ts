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

/** One instrumented function, known before it runs. Kept once in a static table; steps point at it. */
export interface FunctionSite {
  readonly name: string;
  /** Path as the author knows it: mapped through the file's source map, relative to the project's root. */
  readonly file: string;
  readonly line: number;
  /** The author's last line; 0 where the source map does not say. */
  readonly lastLine?: number;
  /** The file that was loaded, and when. Absent for code that was instrumented by a build. */
  origin?: SiteOrigin;
  /** The part of a step that is the same each time, once one has been written. */
  written?: WrittenSite;
}

/** The loaded file of a function. */
export interface SiteOrigin {
  /** Absolute path. */
  readonly file: string;
  /** Epoch milliseconds. */
  readonly loadedMs: number;
}

/** JSON that is written often, as bytes. */
export interface Fragment {
  readonly bytes: Uint8Array;
  /** Number of bytes. A typed array's own length is a getter, which the host can replace. */
  readonly size: number;
}

/** The name, type and place of a function's steps as JSON. */
export interface WrittenSite {
  readonly stepName: string;
  readonly stepType: StepType;
  readonly json: Fragment;
}

/** A copy of a step's error. Nothing in it points into the host. */
export interface StepError {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: string;
}

/** Totals of calls that were counted together. Milliseconds; the sum can exceed the time between start and end where calls overlap. */
export interface Repeat {
  readonly count: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Failed calls beyond those that are shown as steps. */
  readonly errors?: number;
}

export interface StepVariables {
  readonly capturedAt: 'exit' | 'throw';
  readonly parameters: Readonly<Record<string, CapturedValue>>;
  readonly localVariables: Readonly<Record<string, CapturedValue>>;
  readonly returnValue?: CapturedValue;
  readonly thisContext?: CapturedValue;
  /** Values that an earlier step already shows, by name here (`return` and `this` for the result and `this`): that step's id and the name there. */
  readonly seenBefore?: Readonly<Record<string, readonly [stepId: string, name: string]>>;
}

/** The number of items that a limit cut from a recording. */
export interface Dropped {
  readonly steps: number;
  readonly values: number;
  readonly bytes: number;
}
