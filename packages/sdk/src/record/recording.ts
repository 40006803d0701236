import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { ActiveStep, type InstrumentedSite } from './active-step.ts';
import { beginPropagation, carriesCounted, carryingFrom, endCarrying } from './async/async-parent.ts';
import { Following } from './async/awaited-promises.ts';
import type { Outcome } from './async/promise-outcome.ts';
import { stopWatching } from './async/watched-promise.ts';
import { currentWork, WorkContext } from './async/work-context.ts';
import { isBelow } from './below.ts';
import { CallAggregate, type CallCount, findShownStep, getCallCount, reparent } from './call-aggregate.ts';
import { adoptedName } from './capture/adopted-name.ts';
import { CaptureRules } from './capture/capture-rules.ts';
import type { CaptureLimits } from './capture/limits.ts';
import { epochAnchorMicros, monotonicMicros } from './clock.ts';
import { isCounted } from './counted.ts';
import { ThrownErrors } from './errors/thrown-errors.ts';
import { captureBindings, captureInputs, captureOutcome } from './frame-values.ts';
import { type RecordedStep, recordedStep } from './recorded-step.ts';
import { Snapshotter } from './snapshot/snapshot.ts';
import type { Dropped, FunctionSite, StepError, StepType, StepVariables } from './types.ts';
import type { JsonWriter } from './writer/json-writer.ts';
import { returnWriter } from './writer/writer-pool.ts';

export interface StepStart {
  readonly name: string;
  readonly type: StepType;
  /** Undefined: whatever is current. Null: a root. */
  readonly parent?: ActiveStep | null;
  readonly site?: FunctionSite;
  readonly inputs?: CapturedValue;
  readonly metadata?: Readonly<Record<string, CapturedValue>>;
  /**
   * The step stands for a call of one function: when that function is instrumented (see `isInstrumented`), its frame adds name, file,
   * line, values and error to this step rather than a second step below it. The frame's end is the step's, unless `close` came first.
   */
  readonly adopts?: boolean;
}

export interface StepEnd {
  readonly outputs?: CapturedValue;
  readonly variables?: StepVariables;
  readonly error?: unknown;
  readonly metadata?: Readonly<Record<string, CapturedValue>>;
}

export interface RecordingOptions {
  readonly capture: 'all' | 'structure';
  readonly limits: CaptureLimits;
  /** The redaction rules; the built-in rules by default. */
  readonly rules?: CaptureRules;
}

export interface TraceIds {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Makes this the trace's id, unless it has one already. */
  adoptTraceId(traceId: string): void;
}

/** The result of a recording. */
export interface Finished {
  readonly flow: readonly RecordedStep[];
  readonly dropped: Dropped;
  /** Texts that were hidden for their names. */
  readonly secrets: Set<string>;
  /** The bytes of the values of `flow`, to be returned after they are written. */
  readonly writer: JsonWriter | null;
}

/** A step without its values, in V8's heap. */
const bytesOfStep = 320;

const notAttributed = Object.freeze({ notAttributed: true });

/** The number of recordings in progress: injected code checks nothing else while it is 0. */
export const live = { on: 0 };

const builtInRules = new CaptureRules(new Redactor());

/** The steps of one request. Knows nothing of loaders or HTTP. */
export class Recording {
  /** The step whose code is on the synchronous stack now; null when the stack is empty. */
  current: ActiveStep | null = null;
  finished = false;
  /** The W3C ids of the trace; null for a recording without a request. */
  ids: TraceIds | null = null;
  readonly all: boolean;
  readonly steps: ActiveStep[] = [];
  readonly context: WorkContext = new WorkContext(this, null);
  /** Functions that were recorded in part, or not at all, to keep within a budget. */
  readonly lowered = new Map<FunctionSite, 'structure' | 'off'>();
  /** Calls of functions by none of the steps. */
  calls: CallCount | null = null;
  /** The promises that its steps wait for. */
  readonly following = new Following();
  /** The steps of a framework's layers. */
  readonly layers = new Set<ActiveStep>();
  /** The host's handlers are steps: a function below none of them was called by nobody that is known. */
  hasHandlers = false;
  /** The step of the function that returned last, if it returned a thenable. */
  lastReturned: ActiveStep | null = null;
  private readonly maxSteps: number;
  private readonly maxCalls: number;
  private readonly anchorMicros = epochAnchorMicros();
  private readonly snapshotter: Snapshotter;
  private readonly thrown: ThrownErrors;
  private droppedSteps = 0;
  /** True if `steps` is no longer in start order. */
  private isOutOfOrder = false;

  constructor(options: RecordingOptions) {
    this.all = options.capture === 'all';
    this.maxSteps = options.limits.steps;
    this.maxCalls = options.limits.calls;
    this.snapshotter = new Snapshotter(options.limits, options.rules ?? builtInRules);
    this.thrown = new ThrownErrors(this.snapshotter.deferred);
    live.on++;
  }

  /** Begins a step; it is not made `current` (see `within`). Null when the step limit is reached: counted in `dropped`. */
  open(start: StepStart): ActiveStep | null {
    const above = start.parent === undefined ? this.current : start.parent;
    const parent = above === null ? null : findShownStep(above);
    const step = this.push(start.name, start.type, parent, start.site ?? null, start.adopts === true);
    if (step === null) return null;
    step.inputs = start.inputs;
    step.metadata = start.metadata;
    return step;
  }

  /** The step that what happens now belongs to: the one on the stack, else the one that started it, where the async context tells. */
  get here(): ActiveStep | null {
    if (this.current !== null) return this.current;
    const work = currentWork();
    return work?.recording === this ? work.step : null;
  }

  /** About what this holds in memory until it is finished: the text of its values, and its steps. */
  get heldBytes(): number {
    return this.finished ? 0 : this.snapshotter.budget.writer.capacity + this.steps.length * bytesOfStep;
  }

  /** Calls `fn` with `step` as the current one, for as long as it is on the stack. Throws what `fn` throws. */
  within<T>(step: ActiveStep | null, fn: () => T): T {
    if (step === null || step.recording !== this) return fn();
    const before = this.current;
    step.back = before;
    this.current = step;
    try {
      return carryingFrom(step, fn);
    } finally {
      this.current = before;
    }
  }

  /** Ends a step. A second end, or one after the recording is finished, changes nothing. */
  close(step: ActiveStep, end?: StepEnd): void {
    if (step.recording !== this || step.endMicros >= 0) return;
    if (end !== undefined) {
      if (end.outputs !== undefined) step.outputs = end.outputs;
      if (end.variables !== undefined) step.variables = end.variables;
      if (end.metadata !== undefined) step.metadata = { ...step.metadata, ...end.metadata };
      if (end.error !== undefined) this.fail(step, end.error);
    }
    step.endMicros = monotonicMicros();
    step.adopts = false;
    if (this.current === step) this.current = step.back;
  }

  /** A copy of the value as it is now, within this recording's byte budget. */
  snapshot(value: unknown): CapturedValue {
    if (!this.snapshotter.beginStep()) return { $type: 'cut', of: typeof value, reason: 'depth' };
    try {
      const taken = this.snapshotter.takeNow(value, []);
      this.snapshotter.endStep();
      return taken;
    } finally {
      this.snapshotter.busy = false;
    }
  }

  /** The step has no parent, or is a layer of a framework with nothing but layers around it. */
  private isOutermost(step: ActiveStep): boolean {
    if (step.parent !== null && !this.layers.has(step)) return false;
    for (let { parent } = step; parent !== null; parent = parent.parent)
      if (!this.layers.has(parent)) return false;
    return true;
  }

  /** The first error that left a step with no parent, or a layer of a framework: one around that may have answered it. */
  failure(): StepError | undefined {
    for (const step of this.steps) if (step.failed && this.isOutermost(step)) return step.error;
    return undefined;
  }

  /** Ends a recording that nobody wants. */
  drop(): void {
    this.snapshotter.deferred.forget();
    const { writer } = this.finish();
    if (writer !== null) returnWriter(writer);
  }

  /** Ends the recording: what is still open is closed and marked. `flow` is in start order. Later calls give the same again, without steps. */
  finish(): Finished {
    if (!this.finished) {
      this.following.readUnnoticed();
      this.finished = true;
      if (--live.on === 0) stopWatching();
    }
    this.lastReturned = null;
    const now = monotonicMicros();
    this.snapshotter.deferred.readAll();
    const flow: RecordedStep[] = [];
    if (this.isOutOfOrder)
      this.steps.sort((a, b) => a.startMicros - b.startMicros || a.sequence - b.sequence);
    for (const step of this.steps) {
      if (step.endMicros < 0) {
        step.endMicros = now;
        step.unfinished = true;
      }
      flow.push(recordedStep(step, this.anchorMicros));
      // Closures of the host's may keep the step: it must not keep the values.
      step.recording = null;
      step.all = false;
      step.calls = null;
      step.passedOn = step.handed = step.awaited = null;
      step.inputs = step.outputs = step.variables = step.error = step.metadata = undefined;
    }
    this.steps.length = 0;
    this.calls = null;
    // A socket or timer that the request made may keep this recording: its table of seen objects must not keep the host's.
    this.snapshotter.end();
    this.thrown.clear();
    this.ids = null;
    this.current = null;
    return {
      flow,
      secrets: this.snapshotter.secrets,
      writer: this.snapshotter.budget.releaseWriter(),
      dropped: {
        steps: this.droppedSteps,
        values: this.snapshotter.cutValues,
        bytes: this.snapshotter.cutBytes,
      },
    };
  }

  /** An instrumented function is entered: called by injected code alone. */
  enter(
    site: InstrumentedSite,
    outer: ActiveStep | null,
    inputs: readonly unknown[] | undefined,
  ): ActiveStep | null {
    const { current } = this;
    let step: ActiveStep | null;
    if (current?.adopts) {
      current.adopts = false;
      current.adopted = true;
      current.all = this.all;
      current.site = site;
      current.name = adoptedName(current.name, site.name);
      step = current;
    } else {
      const above = current ?? this.cause(outer);
      const parent = above === null ? null : findShownStep(above);
      const count = getCallCount(parent ?? this, site);
      step =
        ++count.calls > this.maxCalls
          ? this.countedCall(count, parent, site)
          : this.push(site.name, site.role ?? 'function', parent, site, false);
      if (step === null) return null;
      step.back = current;
      if (above === null && this.hasHandlers && site.role === undefined && step.metadata === undefined)
        step.metadata = notAttributed;
    }
    if (step.all && inputs !== undefined && inputs.length > 0)
      captureInputs(this.snapshotter, step, site, inputs);
    // For a function made in another request, the async context may be that request's.
    if (current === null || carriesCounted(site.kind) || !isCounted(step)) beginPropagation(step);
    // Last of all: nothing below can fail, so a full stack never leaves a frame current that was not entered.
    this.current = step;
    return step;
  }

  /**
   * Which step a function hangs from that is called with an empty stack: the one that started the work at hand. That of the function around it in the source,
   * where the work is not below that: it says who made the function.
   */
  private cause(outer: ActiveStep | null): ActiveStep | null {
    const { here } = this;
    if (outer === null || outer.recording !== this) return here;
    return here !== null && isBelow(here, outer) ? here : outer;
  }

  /** Takes an instrumented function's values at its end: called by its frame alone. */
  captureExit(
    step: ActiveStep,
    result: unknown,
    self: unknown,
    values: readonly unknown[],
    isFollowed: boolean,
  ): void {
    // A site of another kind cannot be: `all` is set for frames alone.
    const site = step.site as InstrumentedSite;
    captureBindings(this.snapshotter, step, site, result, self, values, isFollowed);
  }

  /** An error leaves the step. One that another step threw already is marked as rethrown. */
  fail(step: ActiveStep, error: unknown): void {
    if (step.failed || this.finished) return;
    step.failed = true;
    // A call that fails shows its values, whatever was left out to save time.
    if (step.site !== null && step.aggregate === null) step.all = this.all;
    const { aggregate } = step;
    const origin = this.thrown.originOf(error, step);
    if (aggregate === null) this.thrown.note(step, error, origin);
    else if (this.showFailed(step, aggregate)) {
      if (origin !== undefined) reparent(origin, aggregate.step, step);
      this.thrown.note(step, error, origin);
    } else if (aggregate.noteFailure()) aggregate.step.error = this.thrown.describe(error);
  }

  /** An instrumented function ends: called by its frame alone. `isFollowed`: its step ends with what it returned. */
  leave(step: ActiveStep, isFollowed: boolean): void {
    // Ended by its caller's `return()` or `throw()`, which is still on the stack and current.
    if (!step.endPause()) {
      this.current = step.back;
      endCarrying(step);
    }
    if (!isFollowed) this.end(step, monotonicMicros());
  }

  /** The promise that a function returned has settled. */
  settle(step: ActiveStep, outcome: Outcome, atMicros: number): void {
    if (this.finished) return;
    if (outcome.state === 'rejected') this.fail(step, outcome.value);
    else if (outcome.state === 'fulfilled' && step.all) captureOutcome(this.snapshotter, step, outcome.value);
    this.end(step, Math.max(atMicros, step.startMicros));
  }

  private end(step: ActiveStep, atMicros: number): void {
    if (isCounted(step)) {
      if (!this.finished) step.aggregate?.end(step, atMicros);
      return;
    }
    step.left = true;
    step.detached = isDetached(step);
    // A step that adopted this frame ends with it too, unless it was closed before: a middleware's time is over when it calls `next`.
    if (step.endMicros < 0) step.endMicros = atMicros;
  }

  /** A call after the first ones of its function below its parent. Null when the step that would stand for them has no room. */
  private countedCall(
    count: CallCount,
    parent: ActiveStep | null,
    site: InstrumentedSite,
  ): ActiveStep | null {
    if (count.aggregate === null) {
      const step = this.push(site.name, site.role ?? 'function', parent, site, false);
      if (step === null) return null;
      step.all = false;
      count.aggregate = new CallAggregate(step);
    }
    return count.aggregate.begin();
  }

  /** Makes a counted call that fails a step of its own, with its values as of the throw, as long as there is room. */
  private showFailed(call: ActiveStep, aggregate: CallAggregate): boolean {
    if (!aggregate.showsFailure || this.steps.length >= this.maxSteps) return false;
    aggregate.release(call);
    call.sequence = this.steps.length;
    call.all = this.all;
    this.steps.push(call);
    this.isOutOfOrder = true;
    return true;
  }

  private push(
    name: string,
    type: StepType,
    parent: ActiveStep | null,
    site: FunctionSite | null,
    adopts: boolean,
  ): ActiveStep | null {
    if (this.finished) return null;
    if (this.steps.length >= this.maxSteps) {
      this.droppedSteps++;
      return null;
    }
    const step = new ActiveStep(this, name, type, parent, site, site !== null && this.all, adopts);
    this.steps.push(step);
    return step;
  }
}

/** True if its caller had ended before it started. */
function isDetached({ parent, site, startMicros }: ActiveStep): boolean {
  if (parent === null || !parent.left || parent.endMicros < startMicros) return false;
  return site !== null && 'kind' in site;
}
