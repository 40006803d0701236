import type { Span } from '@opentelemetry/api';
import type { CapturedValue } from '@throughline/contract/values';
import { beginAwait, findFollowed, wrapReturned } from './async/async-end.ts';
import { beginPropagation, endCarrying } from './async/async-parent.ts';
import { wrapDelegated, wrapGenerator } from './async/generator-frames.ts';
import type { Outcome } from './async/promise-outcome.ts';
import type { ReturnedThenable } from './async/returned-thenable.ts';
import { expectOutcome, type WatchedPromise } from './async/watched-promise.ts';
import type { WorkContext } from './async/work-context.ts';
import type { CallAggregate, CallCount } from './call-aggregate.ts';
import { readMonotonicMicros } from './clock.ts';
import {
  createLanguageError,
  findAsyncIterationMessage,
  findDelegateMessage,
  findIterationMessage,
  type GeneratorKind,
} from './errors/iteration-errors.ts';
import type { DelayedEnd, Frame, LinkedRecording } from './links.ts';
import type { FunctionSite, StepError, StepType, StepVariables } from './types.ts';
import type { CapturedText, StepValue } from './writer/captured-text.ts';

/** The members of a recording that its steps use. */
export interface StepRecording extends LinkedRecording {
  readonly finished: boolean;
  current: ActiveStep | null;
  readonly steps: readonly ActiveStep[];
  readonly meter: { beginExit(): number; endExit(step: ActiveStep, started: number): void } | null;
  captureExit(
    step: ActiveStep,
    result: unknown,
    self: unknown,
    values: readonly unknown[],
    isFollowed: boolean,
  ): void;
  leave(step: ActiveStep, isFollowed: boolean): void;
  fail(step: ActiveStep, error: unknown): void;
  settle(step: ActiveStep, outcome: Outcome, atMicros: number): void;
}

/**
 * A step in progress. If recording fails in one of the methods, the trace lacks some data and the host is not affected: the methods only
 * throw errors that the language would throw without the SDK. All instances have the same shape, which V8 handles faster.
 */
export class ActiveStep {
  /** Null after the end of the recording, since a closure of the host can retain a step, and must not retain the recording. */
  recording: StepRecording | null;
  name: string;
  type: StepType;
  parent: ActiveStep | null;
  sequence: number;
  startMicros: number;
  site: FunctionSite | null;
  /** True if injected code passes values (capture mode `all`). */
  all: boolean;
  /** The step that was current before this step was entered or resumed most recently. */
  back: ActiveStep | null = null;
  /** The step that was current when this step began. Unlike `parent`, it can stand for a call that a call aggregate counts. */
  caller: ActiveStep | null = null;
  /** End time on the monotonic clock, in µs; -1 until the step ends. */
  endMicros = -1;
  /** The time at which the function returned a promise for which the step waits. The step does not end earlier. */
  returnedMicros = -1;
  returnedFunction = false;
  /** Total time between each `yield` and the next resumption. The step's duration does not include this time. */
  pausedMicros = 0;
  pausedAt = -1;
  /** True while the function waits in an `await`. */
  suspended = false;
  /** True if the function's current or latest wait is an `await` that no compiler turned into a `yield`. */
  isAwaiting = false;
  /** True once an async function continued after an `await`: V8 then calls the function with an empty stack, so no context is restored. */
  endsWithTurn = false;
  /** The value that the function threw, in a list. Injected code sets the field directly, since a call would fail on a full stack. */
  thrown: readonly [unknown] | null = null;
  failed = false;
  rethrown = false;
  unfinished = false;
  /**
   * True if the next instrumented function called directly below this step adds its values to this step instead of creating a step, as the
   * function of a framework's layer does.
   */
  adopts: boolean;
  adopted = false;
  /** True if the step is named after the function that it calls. `name` is then the function's name even if `site` is null. */
  named = false;
  /** Number of calls made by this step, by called function. */
  calls: CallCount<ActiveStep> | null = null;
  /** The aggregate whose calls this step represents, or the aggregate that counts this call. */
  aggregate: CallAggregate<ActiveStep> | null = null;
  /** The value of the async context while this step's code runs. `carriedBefore` is the value that is restored afterwards. */
  carried: WorkContext | null = null;
  carriedBefore: WorkContext | undefined = undefined;
  /** Node's async context frame in which `carried` was entered, and the frame before. */
  frame: Frame | undefined = undefined;
  frameBefore: Frame | undefined = undefined;
  /** The promise that the function awaits now, if the ends of other steps depend on that promise. */
  awaited: WatchedPromise | null = null;
  /** The wrapper of the thenable that the function is about to return. */
  handed: ReturnedThenable | null = null;
  /** The step of the inner function that returned the same thenable before this function did. */
  passedOn: ActiveStep | null = null;
  /** The OpenTelemetry span of this step, once one was made. */
  span: Span | null = null;
  /** True once the function has ended and any promise it returned has settled. */
  left = false;
  detached = false;
  valueBytes = 0;
  inputs: StepValue | undefined = undefined;
  outputs: StepValue | undefined = undefined;
  variables: CapturedText | StepVariables | undefined = undefined;
  error: StepError | undefined = undefined;
  metadata: Readonly<Record<string, CapturedValue>> | undefined = undefined;

  constructor(
    recording: StepRecording | null,
    name: string,
    type: StepType,
    parent: ActiveStep | null,
    site: FunctionSite | null,
    all: boolean,
    adopts: boolean,
  ) {
    this.recording = recording;
    this.name = name;
    this.type = type;
    this.parent = parent;
    this.site = site;
    this.all = all;
    this.adopts = adopts;
    this.sequence = recording === null ? 0 : recording.steps.length;
    this.startMicros = readMonotonicMicros();
  }

  /** Resets the step for the next call that the call aggregate counts. The previous call has ended. */
  restart(): void {
    this.endMicros = -1;
    this.pausedMicros = 0;
    this.pausedAt = -1;
    this.suspended = this.isAwaiting = this.endsWithTurn = false;
    this.thrown = null;
    this.failed = false;
    this.awaited = this.handed = null;
    this.metadata = undefined;
    this.startMicros = readMonotonicMicros();
  }

  /**
   * Called before an `await` of `awaited`. Returns the value to await instead. `isYielded` is true if a compiler turned the `await` into a
   * `yield`.
   */
  suspend(awaited?: unknown, isYielded = false): unknown {
    if (this.recording === null) return awaited;
    let begun = awaited;
    try {
      if (typeof awaited === 'object' && awaited !== null)
        begun = beginAwait(this, this.recording, awaited, isYielded);
      this.recording.current = this.back;
      this.back = null;
      this.suspended = true;
      this.isAwaiting = !isYielded;
      if (!this.endsWithTurn) endCarrying(this);
    } catch {}
    return begun;
  }

  /** Makes this step the current step again. Called after an `await`, when no caller is on the stack. */
  resume(settled?: unknown): unknown {
    if (this.recording === null) return settled;
    this.suspended = false;
    this.back = null;
    this.recording.current = this;
    try {
      this.endsWithTurn = this.isAwaiting && this.isAsync;
      this.awaited?.fulfil(settled);
      this.awaited = null;
      if (this.carried !== null) beginPropagation(this);
    } catch {}
    return settled;
  }

  /** Called before an async function returns. Returns the value to return: a wrapper if `returned` is a thenable, but not a promise. */
  handOver(returned: unknown): unknown {
    this.handed = null;
    if (this.recording === null) return returned;
    try {
      if (typeof returned === 'object' && returned !== null)
        this.handed = wrapReturned(this, this.recording, returned);
    } catch {}
    return this.handed ?? returned;
  }

  /** Called before a `yield`. Returns the yielded value. */
  pause(yielded?: unknown): unknown {
    if (this.recording === null) return yielded;
    this.recording.current = this.back;
    this.back = null;
    try {
      this.pausedAt = readMonotonicMicros();
      endCarrying(this);
    } catch {}
    return yielded;
  }

  /** Makes this step the current step again. Called after a `yield`, while the caller of `next` is on the stack. Returns `sent`. */
  proceed(sent?: unknown): unknown {
    if (this.recording === null) return sent;
    this.back = this.recording.current;
    this.recording.current = this;
    try {
      this.endPause();
      if (this.carried !== null) beginPropagation(this);
    } catch {}
    return sent;
  }

  /**
   * Makes this step the current step again. Called at the start of a `catch` or `finally` block, since execution can continue there after a
   * rejected `await`, a generator's `throw()` or `return()`, or a stack overflow.
   */
  recover(): void {
    if (this.recording === null || this.recording.current === this) return;
    if (this.pausedAt >= 0) this.proceed();
    else if (this.suspended) {
      try {
        this.readAwaited();
      } catch {}
      const { endsWithTurn } = this;
      const { current } = this.recording;
      this.resume();
      // The `await` can have thrown immediately, while the caller is on the stack.
      this.endsWithTurn = endsWithTurn;
      this.back = current;
    }
    // An exception ended the inner calls without making this step current again.
    else {
      this.recording.current = this;
      try {
        if (this.carried !== null) beginPropagation(this);
      } catch {}
    }
  }

  /**
   * Called with the operand of a `yield*`. Returns the value to iterate: a wrapper of the operand, so that this step is current while the
   * iterator runs, or the operand itself. If the operand is not iterable, throws V8's error, whose message depends on `kind`, `times` and
   * `text`. `local` is an object of the host's realm.
   */
  delegate(iterable: unknown, local: object, kind: GeneratorKind, times: number, text?: string): unknown {
    let error: Error | undefined;
    try {
      const message = findDelegateMessage(iterable, local, kind, times, text);
      if (message !== undefined) error = createLanguageError(message, local, this.delegate);
    } catch {}
    if (error !== undefined) throw error;
    try {
      const followed = this.recording === null ? undefined : wrapDelegated(this, iterable, kind);
      if (followed !== undefined) return followed;
    } catch {}
    this.pause();
    return iterable;
  }

  /**
   * Called with the subject of a `for await`, over which the loop iterates. This step is suspended each time that the loop requests a
   * value. `printed` is the subject's expression as V8 prints it.
   */
  iterate(iterable: unknown, local: object, printed?: string): unknown {
    let error: Error | undefined;
    try {
      const message = findAsyncIterationMessage(iterable, local, printed);
      if (message !== undefined) error = createLanguageError(message, local, this.iterate);
    } catch {}
    if (error !== undefined) throw error;
    try {
      const followed = this.recording === null ? undefined : wrapGenerator(this, iterable, 'suspend');
      if (followed !== undefined) return followed;
    } catch {}
    this.suspend();
    return iterable;
  }

  /**
   * Throws V8's error if the subject of a `for` loop or an array pattern is not iterable. Called if the subject is an `await` or `yield`
   * expression.
   */
  iterable(value: unknown, local: object): unknown {
    let error: Error | undefined;
    try {
      const message = findIterationMessage(value, local);
      if (message !== undefined) error = createLanguageError(message, local, this.iterable);
    } catch {}
    if (error !== undefined) throw error;
    return value;
  }

  /**
   * Ends the generator's pause. Returns true if the generator was paused. A generator that is still paused when its function ends was ended
   * by `return()` or `throw()`.
   */
  endPause(): boolean {
    if (this.pausedAt < 0) return false;
    this.pausedMicros += readMonotonicMicros() - this.pausedAt;
    this.pausedAt = -1;
    return true;
  }

  /**
   * Called when the function ends. `values` are in the order of the site's names; false or null if no values are captured. In place of
   * a binding that was not initialized, `values` contains the step. Never throws: a failure here, such as a full stack, must not hide the
   * host's own error. Returns true if a sync function must throw the error from {@link taken}.
   */
  exit(values: readonly unknown[] | false | null, result?: unknown, self?: unknown): boolean {
    const { recording, thrown } = this;
    this.thrown = null;
    if (recording !== null) {
      try {
        const { meter } = recording;
        const started = meter === null ? -1 : meter.beginExit();
        let followed: DelayedEnd | null = null;
        try {
          if (thrown === null) followed = findFollowed(this, recording, result);
          else this.noteThrown(recording, thrown[0]);
          // `all` is read after the thrown error was recorded, because an error can turn on the capture of values.
          if (values && this.all) recording.captureExit(this, result, self, values, followed !== null);
        } finally {
          recording.leave(this, followed !== null);
          if (followed !== null) followed.add(this);
          else if (this.isAsync) expectOutcome(thrown, result);
          if (meter !== null && started >= 0) meter.endExit(this, started);
        }
      } catch {
        // The ended step may still be the current step. This is corrected when the caller resumes and makes its own step current.
      }
    }
    return thrown !== null && this.keepThrown(thrown);
  }

  private get isAsync(): boolean {
    return this.site !== null && 'kind' in this.site && this.site.kind === 'async';
  }

  /**
   * Stores the error of a sync function for {@link taken}. For functions of other kinds, no error is stored: their injected code rethrows
   * the error itself.
   */
  private keepThrown(thrown: readonly [unknown]): boolean {
    if (this.site === null || !('kind' in this.site) || this.site.kind !== 'sync') return false;
    this.thrown = thrown;
    return true;
  }

  /** Returns the error of a sync function and clears it. The injected code of the function throws the error again. */
  taken(): unknown {
    const { thrown } = this;
    this.thrown = null;
    return thrown?.[0];
  }

  private noteThrown(recording: StepRecording, error: unknown): void {
    this.readAwaited();
    recording.fail(this, error);
  }

  /** Reads the outcome of the awaited promise after an `await` threw, because the error can be the promise's rejection. */
  private readAwaited(): void {
    const { awaited } = this;
    if (awaited === null) return;
    this.awaited = null;
    awaited.read();
  }

  /** Called when the promise that the function returned has settled. Never throws. */
  settle(outcome: Outcome, atMicros: number): void {
    const { recording } = this;
    if (recording === null) return;
    try {
      const { meter } = recording;
      const started = meter === null ? -1 : meter.beginExit();
      recording.settle(this, outcome, atMicros);
      if (meter !== null && started >= 0) meter.endExit(this, started);
    } catch {}
  }

  /**
   * Reopens an ended step, for example because a promise now waits for the thenable that the step's function returned. Returns false if the
   * step has not ended, has failed, or its recording is finished.
   */
  reopen(): boolean {
    if (this.recording === null || this.endMicros < 0 || this.failed) return false;
    this.endMicros = -1;
    this.left = false;
    return true;
  }
}

/** Creates the step of a call that a call aggregate counts. `step` is another call of the same function. */
export function createCountedCall({ recording, name, type, parent, site }: ActiveStep): ActiveStep {
  return new ActiveStep(recording, name, type, parent, site, false, false);
}
