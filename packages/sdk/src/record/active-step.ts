import type { CapturedValue } from '@throughline/contract/values';
import { beginAwait, type Followed, findFollowed, handOver } from './async/async-end.ts';
import { beginPropagation, endCarrying } from './async/async-parent.ts';
import { followGenerator, followHelper } from './async/generator-frames.ts';
import type { Outcome } from './async/promise-outcome.ts';
import type { ReturnedThenable } from './async/returned-thenable.ts';
import type { WatchedPromise } from './async/watched-promise.ts';
import type { WorkContext } from './async/work-context.ts';
import type { CallAggregate, CallCount } from './call-aggregate.ts';
import { metering } from './capture/metering.ts';
import { monotonicMicros } from './clock.ts';
import {
  asyncIterationMessage,
  delegateMessage,
  type GeneratorKind,
  iterationMessage,
  languageError,
} from './errors/iteration-errors.ts';
import type { Recording } from './recording.ts';
import type { FunctionSite, StepError, StepType, StepVariables } from './types.ts';
import type { CapturedText, StepValue } from './writer/captured-text.ts';

/** A function as the instrumentation saw it: what its injected calls pass, in order. */
export interface InstrumentedSite extends FunctionSite {
  readonly kind: 'sync' | 'async' | 'generator' | 'async-generator';
  /** Names of the values passed at entry. */
  readonly inputs: readonly string[];
  /** Names of the values passed at exit: the first `parameters` of them are parameters, the others locals. */
  readonly bindings: readonly string[];
  readonly parameters: number;
  /** True if the function has a `return` with a value; otherwise no result is shown. */
  readonly returns: boolean;
  /** The function's role in the framework that calls it, if known. */
  role?: StepType;
}

/**
 * A step that is under way. Injected code calls its methods around every suspension, so they are short, allocate nothing, and know nothing
 * but their own recording. They never throw: what fails in them leaves the host as it is, and the trace without something. Every instance has the
 * same shape.
 */
export class ActiveStep {
  /** Null once the recording is finished: a closure of the host's may hold this step for as long as it likes. */
  recording: Recording | null;
  name: string;
  type: StepType;
  parent: ActiveStep | null;
  sequence: number;
  startMicros: number;
  site: FunctionSite | null;
  /** True if injected code passes values. */
  all: boolean;
  /** The current step before the running segment was entered. */
  back: ActiveStep | null = null;
  /** -1 while it is open. */
  endMicros = -1;
  /** Time between a `yield` and the next resumption: not the generator's own. */
  pausedMicros = 0;
  pausedAt = -1;
  /** Waiting in an `await`. */
  suspended = false;
  /** The value thrown out of the function. Injected code sets it without a call, which a full stack would not allow. */
  thrown: readonly [unknown] | null = null;
  failed = false;
  rethrown = false;
  unfinished = false;
  /** The next frame entered right below this step is the same call: it adds its values here instead of a step of its own. */
  adopts: boolean;
  adopted = false;
  /** Its name is that of the function that it is a call of, of which no source is known. */
  named = false;
  /** The calls that it made, with their counts. */
  calls: CallCount | null = null;
  /** The counter of a step that represents many calls, shared by each counted call. */
  aggregate: CallAggregate | null = null;
  /** The async context's value while this step's code runs, and the value before. */
  carried: WorkContext | null = null;
  carriedBefore: WorkContext | undefined = undefined;
  /** The promise of its `await`, where steps end with that promise. */
  awaited: WatchedPromise | null = null;
  /** A thenable that it is about to return. */
  handed: ReturnedThenable | null = null;
  /** The step of the function that returned the same object before. */
  passedOn: ActiveStep | null = null;
  /** True once the function and its returned promise are settled. */
  left = false;
  detached = false;
  valueBytes = 0;
  inputs: StepValue | undefined = undefined;
  outputs: StepValue | undefined = undefined;
  variables: CapturedText | StepVariables | undefined = undefined;
  error: StepError | undefined = undefined;
  metadata: Readonly<Record<string, CapturedValue>> | undefined = undefined;

  constructor(
    recording: Recording | null,
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
    this.startMicros = monotonicMicros();
  }

  /** Begins another call of those that are counted together: the one before has ended. */
  restart(): void {
    this.endMicros = -1;
    this.pausedMicros = 0;
    this.pausedAt = -1;
    this.suspended = false;
    this.thrown = null;
    this.failed = false;
    this.awaited = null;
    this.handed = null;
    this.metadata = undefined;
    this.startMicros = monotonicMicros();
  }

  /** Before an `await`. Returns what to wait for, in place of what the code does. `isYielded`: it is the `yield` of a compiled `await`. */
  suspend(awaited?: unknown, isYielded = false): unknown {
    if (this.recording === null) return awaited;
    let begun = awaited;
    try {
      if (typeof awaited === 'object' && awaited !== null)
        begun = beginAwait(this, this.recording, awaited, isYielded);
      this.recording.current = this.back;
      this.back = null;
      this.suspended = true;
      endCarrying(this);
    } catch {}
    return begun;
  }

  /** After an `await`: nothing is on the stack below. Returns what came of it. */
  resume(settled?: unknown): unknown {
    if (this.recording === null) return settled;
    this.suspended = false;
    this.back = null;
    this.recording.current = this;
    try {
      this.awaited?.fulfil(settled);
      this.awaited = null;
      if (this.carried !== null) beginPropagation(this);
    } catch {}
    return settled;
  }

  /** Before the return of an async function. Returns what it is to return: in place of a thenable, one of ours. */
  handOver(returned: unknown): unknown {
    this.handed = null;
    if (this.recording === null) return returned;
    try {
      if (typeof returned === 'object' && returned !== null)
        this.handed = handOver(this, this.recording, returned);
    } catch {}
    return this.handed ?? returned;
  }

  /** Before a `yield`. Returns the value. */
  pause(yielded?: unknown): unknown {
    if (this.recording === null) return yielded;
    this.recording.current = this.back;
    this.back = null;
    try {
      this.pausedAt = monotonicMicros();
      endCarrying(this);
    } catch {}
    return yielded;
  }

  /** Resumes after a `yield`: the caller of `next` is on the stack below. Returns the value that was sent in. */
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

  /** At the start of a `catch` or `finally`: a rejected `await` or a `throw()` comes back here, and so does a full stack. */
  recover(): void {
    if (this.recording === null || this.recording.current === this) return;
    if (this.pausedAt >= 0) this.proceed();
    else if (this.suspended) {
      try {
        this.readAwaited();
      } catch {}
      this.resume();
    }
    // Frames above were cut down before they could put this one back.
    else {
      this.recording.current = this;
      try {
        if (this.carried !== null) beginPropagation(this);
      } catch {}
    }
  }

  /**
   * The iterable of a `yield*`. Control passes to it and back at each value. `kind` and `printed` are for V8's message about a value that is
   * not iterable; `local` is an object of the host's realm.
   */
  delegate(iterable: unknown, local: object, kind: GeneratorKind, printed: number): unknown {
    let error: Error | undefined;
    try {
      const message = delegateMessage(iterable, local, kind, printed);
      if (message !== undefined) error = languageError(message, local, this.delegate);
    } catch {}
    if (error !== undefined) throw error;
    try {
      const followed =
        this.recording === null
          ? undefined
          : kind === 'compiled'
            ? followHelper(this, iterable)
            : followGenerator(this, iterable, 'pause');
      if (followed !== undefined) return followed;
    } catch {}
    this.pause();
    return iterable;
  }

  /** The subject of a `for await`: the frame is suspended after each request for a value. `printed` is its expression, as V8 prints it. */
  iterate(iterable: unknown, local: object, printed?: string): unknown {
    let error: Error | undefined;
    try {
      const message = asyncIterationMessage(iterable, local, printed);
      if (message !== undefined) error = languageError(message, local, this.iterate);
    } catch {}
    if (error !== undefined) throw error;
    try {
      const followed = this.recording === null ? undefined : followGenerator(this, iterable, 'suspend');
      if (followed !== undefined) return followed;
    } catch {}
    this.suspend();
    return iterable;
  }

  /** The subject of a `for` that was awaited or sent in. */
  iterable(value: unknown, local: object): unknown {
    let error: Error | undefined;
    try {
      const message = iterationMessage(value, local);
      if (message !== undefined) error = languageError(message, local, this.iterable);
    } catch {}
    if (error !== undefined) throw error;
    return value;
  }

  /** True if `return()` or `throw()` ended a paused generator; ends its pause. */
  endPause(): boolean {
    if (this.pausedAt < 0) return false;
    this.pausedMicros += monotonicMicros() - this.pausedAt;
    this.pausedAt = -1;
    return true;
  }

  /**
   * The function ends. `values`, as its site names them, where they may be wanted; the step itself stands for a binding not reached yet. Never
   * throws: what fails here, for want of stack say, must not hide the host's own error. True where a sync function is to throw what it {@link taken}.
   */
  exit(values: readonly unknown[] | false | null, result?: unknown, self?: unknown): boolean {
    const { recording, thrown } = this;
    this.thrown = null;
    if (recording !== null) {
      try {
        const { meter } = metering;
        const started = meter === null ? -1 : meter.beginExit();
        let followed: Followed | null = null;
        try {
          if (thrown === null) followed = findFollowed(this, recording, result);
          else this.noteThrown(recording, thrown[0]);
          // The thrown value may decide that values are wanted.
          if (values && this.all) recording.captureExit(this, result, self, values, followed !== null);
        } finally {
          recording.leave(this, followed !== null);
          followed?.add(this);
          if (meter !== null && started >= 0) meter.endExit(this, started);
        }
      } catch {
        // Where this one still stands as the one that runs, the frame around it finds out.
      }
    }
    return thrown !== null && this.keepThrown(thrown);
  }

  /** Injected code of other kinds of functions throws an error on its way. */
  private keepThrown(thrown: readonly [unknown]): boolean {
    if (this.site === null || !('kind' in this.site) || this.site.kind !== 'sync') return false;
    this.thrown = thrown;
    return true;
  }

  /** The error of a sync function, which its injected code throws once more. */
  taken(): unknown {
    const { thrown } = this;
    this.thrown = null;
    return thrown?.[0];
  }

  private noteThrown(recording: Recording, error: unknown): void {
    this.readAwaited();
    recording.fail(this, error);
  }

  /** An `await` ended with an error: of what was awaited, perhaps. */
  private readAwaited(): void {
    const { awaited } = this;
    if (awaited === null) return;
    this.awaited = null;
    awaited.read();
  }

  /** The promise that the function returned has settled. Never throws. */
  settle(outcome: Outcome, atMicros: number): void {
    const { recording } = this;
    if (recording === null) return;
    try {
      const { meter } = metering;
      const started = meter === null ? -1 : meter.beginExit();
      recording.settle(this, outcome, atMicros);
      if (meter !== null && started >= 0) meter.endExit(this, started);
    } catch {}
  }

  /** Reopens the step because its returned promise is awaited. False if the step cannot continue. */
  reopen(): boolean {
    if (this.recording === null || this.endMicros < 0 || this.failed) return false;
    this.endMicros = -1;
    this.left = false;
    return true;
  }
}
