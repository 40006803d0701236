import type { ContextFrame } from './async/context-frames.ts';
import type { Outcome } from './async/promise-outcome.ts';
import type { FunctionSite } from './types.ts';

/**
 * The members of steps that are used by the modules that define the types of `ActiveStep`'s fields. These modules cannot import
 * `ActiveStep`, because it imports them.
 */
export interface LinkedStep {
  readonly recording: LinkedRecording | null;
  readonly site: FunctionSite | null;
  /** The aggregate whose calls the step represents, or the aggregate that counts the call. */
  readonly aggregate: { readonly step: unknown } | null;
  carried: StartedWork | null;
  carriedBefore: StartedWork | undefined;
  frame: Frame | undefined;
  frameBefore: Frame | undefined;
  readonly endsWithTurn: boolean;
  awaited: object | null;
  readonly handed: DelayedEnd | null;
  passedOn: LinkedStep | null;
  returnedMicros: number;
  /** True if the function returned a function, which the caller can pass to a library. */
  returnedFunction: boolean;
  /** The frame that was current when the step began. */
  readonly caller: LinkedStep | null;
  settle(outcome: Outcome, atMicros: number): void;
  reopen(): boolean;
  recover(): void;
  suspend(): unknown;
  pause(): unknown;
}

export interface LinkedRecording {
  readonly context: StartedWork;
  current: LinkedStep | null;
  lastReturned: LinkedStep | null;
  /** The promises for which steps wait. */
  readonly following: { add(promise: object): void };
}

/** The value of the async context: the request and the step that started the work. */
export interface StartedWork {
  readonly recording: LinkedRecording;
  /** Null if the request itself started the work. */
  readonly step: LinkedStep | null;
}

/** Ends a step later than the return of its function, such as when a returned promise settles. */
export interface DelayedEnd {
  add(step: LinkedStep): void;
}

/** The async context as Node stores it. */
export type Frame = ContextFrame<StartedWork | undefined>;
