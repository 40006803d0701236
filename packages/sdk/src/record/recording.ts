import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { ActiveStep, createCountedCall } from './active-step.ts';
import { beginPropagation, changesIfCounted, endCarrying, runWithParent } from './async/async-parent.ts';
import { AwaitedPromises } from './async/awaited-promises.ts';
import type { Outcome } from './async/promise-outcome.ts';
import { stopWatching } from './async/watched-promise.ts';
import { getCurrentWork, WorkContext } from './async/work-context.ts';
import { findCause, isDetached } from './below.ts';
import { CallAggregate, type CallCount, findShownStep, getCallCount, moveBranch } from './call-aggregate.ts';
import { chooseName } from './capture/adopted-name.ts';
import { CaptureRules } from './capture/capture-rules.ts';
import type { CaptureLimits } from './capture/limits.ts';
import { type Meter, metering } from './capture/metering.ts';
import { QueryValues } from './capture/query-values.ts';
import { readEpochAnchorMicros, readMonotonicMicros } from './clock.ts';
import { isCounted } from './counted.ts';
import { ThrownErrors } from './errors/thrown-errors.ts';
import { captureBindings, captureInputs, captureOutcome } from './frame-values.ts';
import { LayerSteps } from './layer-steps.ts';
import { type RecordedStep, releaseStep, toRecordedStep } from './recorded-step.ts';
import { Snapshotter } from './snapshot/snapshot.ts';
import type { Shorten } from './snapshot/text.ts';
import type { StepEnd, StepStart } from './step-bounds.ts';
import type { Dropped, FunctionSite, InstrumentedSite, StepError, StepType } from './types.ts';
import type { JsonWriter } from './writer/json-writer.ts';
import { returnWriter } from './writer/writer-pool.ts';

export interface RecordingOptions {
  readonly capture: 'all' | 'structure';
  readonly limits: CaptureLimits;
  /** The redaction rules. By default, the built-in rules apply. */
  readonly rules?: CaptureRules;
}

export interface TraceIds {
  /** Trace id: 32 hex digits. */
  readonly traceId: string;
  /** Sets the trace id, unless the trace has one already. */
  adoptTraceId(traceId: string): void;
}

export interface Finished {
  readonly flow: readonly RecordedStep[];
  readonly dropped: Dropped;
  /** Strings that were redacted during capture. */
  readonly secrets: Set<string>;
  /** Contains the bytes of the values in `flow`; null if the recording was already finished. */
  readonly writer: JsonWriter | null;
}

/** Bytes that a step without its values takes in V8's heap. */
const bytesOfStep = 320;

const notAttributed = Object.freeze({ notAttributed: true });

/** Number of running recordings. While the number is 0, injected code checks nothing else. */
export const live = { on: 0 };

const builtInRules = new CaptureRules(new Redactor());

/** Records the steps of one request. Does not depend on loaders or HTTP. */
export class Recording {
  /** The innermost step on the synchronous stack; null if no step is on the stack. */
  current: ActiveStep | null = null;
  finished = false;
  /** The W3C trace ids of the request; null for a recording without a request. */
  ids: TraceIds | null = null;
  readonly all: boolean;
  /** Measures the cost of this recording; null if nothing is measured. */
  readonly meter: Meter | null;
  readonly rules: CaptureRules;
  readonly steps: ActiveStep[] = [];
  readonly context: WorkContext = new WorkContext(this, null);
  /** Functions that were recorded partly or not at all, to stay within the budget. */
  readonly lowered = new Map<FunctionSite, 'structure' | 'off'>();
  /** Counts of calls that were made outside any step. */
  calls: CallCount<ActiveStep> | null = null;
  /** Promises for which the recording's steps wait. */
  readonly following = new AwaitedPromises();
  /** Steps of a framework's layers, such as routers. */
  readonly layers = new LayerSteps();
  /** True if the host's handlers are steps. Functions without a parent step are then marked as not attributed. */
  hasHandlers = false;
  /** The step of the last synchronous function that returned an object other than a promise; null unless that object is a thenable. */
  lastReturned: ActiveStep | null = null;
  /** Shortens the texts that the steps show. */
  readonly shorten: Shorten;
  private readonly maxSteps: number;
  private readonly maxCalls: number;
  /** Epoch time, in µs, at which the monotonic clock was zero. */
  readonly anchorMicros = readEpochAnchorMicros();
  readonly queries: QueryValues;
  private readonly snapshotter: Snapshotter;
  private readonly thrown: ThrownErrors;
  private droppedSteps = 0;
  /** True if `steps` is no longer sorted by start. */
  private isOutOfOrder = false;

  constructor(options: RecordingOptions) {
    this.all = options.capture === 'all';
    const { meter } = metering;
    this.meter = meter?.measures(this.all) === true ? meter : null;
    this.maxSteps = options.limits.steps;
    this.maxCalls = options.limits.calls;
    this.rules = options.rules ?? builtInRules;
    this.snapshotter = new Snapshotter(options.limits, this.rules);
    this.queries = new QueryValues(this.all, this.rules, this.meter, this.snapshotter);
    this.shorten = this.snapshotter.shorten;
    this.thrown = new ThrownErrors(this.snapshotter.deferred, this.shorten);
    live.on++;
  }

  /** Begins a step without making it `current` (see `within`). Returns null if the recording is finished or has reached the step limit. */
  open(start: StepStart): ActiveStep | null {
    const above = start.parent === undefined ? this.current : start.parent;
    const parent = above === null ? null : findShownStep(above);
    const step = this.push(start.name, start.type, parent, start.site ?? null, start.adopts === true);
    if (step === null) return null;
    step.inputs = start.inputs;
    step.metadata = start.metadata;
    return step;
  }

  /** The step that new work belongs to: the step on the stack, otherwise the step in the async context, if any. */
  get here(): ActiveStep | null {
    if (this.current !== null) return this.current;
    const work = getCurrentWork();
    // Safe cast: only active steps start work.
    return work?.recording === this ? (work.step as ActiveStep | null) : null;
  }

  /** Approximate memory that the recording uses until it is finished: the JSON of its values, and its steps. */
  get heldBytes(): number {
    return this.finished ? 0 : this.snapshotter.budget.writer.capacity + this.steps.length * bytesOfStep;
  }

  /** Calls `fn` with `step` as the current step until `fn` returns. Rethrows what `fn` throws. */
  within<T>(step: ActiveStep | null, fn: () => T): T {
    if (step === null || step.recording !== this) return fn();
    const before = this.current;
    step.back = before;
    this.current = step;
    try {
      return runWithParent(step, fn);
    } finally {
      this.current = before;
    }
  }

  /** Ends a step. Has no effect if the step has ended or the recording is finished. */
  close(step: ActiveStep, end?: StepEnd): void {
    if (step.recording !== this || step.endMicros >= 0) return;
    if (end !== undefined) {
      if (end.outputs !== undefined) step.outputs = end.outputs;
      if (end.variables !== undefined) step.variables = end.variables;
      if (end.metadata !== undefined) step.metadata = { ...step.metadata, ...end.metadata };
      if (end.error !== undefined) this.fail(step, end.error);
    }
    step.endMicros = readMonotonicMicros();
    step.adopts = false;
    if (this.current === step) this.current = step.back;
  }

  /** Captures the value in its present state, within the recording's byte budget. */
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

  /** Returns the error of the first failed outermost step. Layers inside layers count as outermost: an outer layer can handle an error. */
  failure(): StepError | undefined {
    for (const step of this.steps) if (step.failed && this.layers.isOutermost(step)) return step.error;
    return undefined;
  }

  /** True if values of steps were captured. */
  get hasValues(): boolean {
    return this.snapshotter.budget.writer.end > 0;
  }

  /** Ends a recording whose trace is discarded. */
  drop(): void {
    this.snapshotter.deferred.forget();
    const { writer } = this.finish();
    if (writer !== null) returnWriter(writer);
  }

  /** Ends the recording and marks open steps as unfinished. `flow` is sorted by start. A second call returns no steps. */
  finish(): Finished {
    if (!this.finished) {
      this.following.readUnnoticed();
      this.finished = true;
      if (--live.on === 0) stopWatching();
    }
    this.lastReturned = null;
    const now = readMonotonicMicros();
    this.snapshotter.deferred.readAll();
    const flow: RecordedStep[] = [];
    if (this.isOutOfOrder)
      this.steps.sort((a, b) => a.startMicros - b.startMicros || a.sequence - b.sequence);
    for (const step of this.steps) {
      if (step.endMicros < 0) {
        step.endMicros = now;
        step.unfinished = true;
      }
      const recorded = toRecordedStep(step, this.anchorMicros);
      if (recorded !== undefined) flow.push(recorded);
      releaseStep(step);
      step.aggregate?.releaseCalls(releaseStep);
    }
    this.steps.length = 0;
    this.calls = null;
    // A socket or timer of the request can hold this recording, whose table of seen objects must not hold host objects.
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

  /** Called when an instrumented function is entered. Returns null if the step limit leaves no step for the call. */
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
      current.name = chooseName(current.name, site.name);
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
    // Enters the step's own async context, since the current context can belong to the request in which the function was created.
    if (current === null || changesIfCounted(site.kind) || !isCounted(step)) beginPropagation(step);
    // Must be the last call or assignment: if one of the calls above fails on a full stack, the step must not stay current.
    this.current = step;
    return step;
  }

  /** Finds the parent of a function that is called with an empty stack. `outer` is the frame of the enclosing function in the source. */
  private cause(outer: ActiveStep | null): ActiveStep | null {
    const { here } = this;
    if (outer === null || outer.recording !== this) return here;
    return here === null ? outer : findCause(here, outer);
  }

  /** Captures the values of an instrumented function that ends. */
  captureExit(
    step: ActiveStep,
    result: unknown,
    self: unknown,
    values: readonly unknown[],
    isFollowed: boolean,
  ): void {
    // The cast is safe, because only frames of instrumented functions capture values at their exit.
    const site = step.site as InstrumentedSite;
    captureBindings(this.snapshotter, step, site, result, self, values, isFollowed);
  }

  /** Called when an error leaves the step. If an earlier step threw the same error, the step is marked as rethrown. */
  fail(step: ActiveStep, error: unknown): void {
    if (step.failed || this.finished) return;
    step.failed = true;
    // A failed call shows its values even if the budget left out the values of its function.
    if (step.site !== null && step.aggregate === null) step.all = this.all;
    const { aggregate } = step;
    const origin = this.thrown.originOf(error, step);
    if (aggregate === null) this.thrown.note(step, error, origin);
    else if (this.showFailed(step, aggregate)) {
      if (origin !== undefined) moveBranch(origin, aggregate.step, step);
      this.thrown.note(step, error, origin);
    } else if (aggregate.noteFailure()) aggregate.step.error = this.thrown.describe(error);
  }

  /** Called when an instrumented function ends. `isFollowed`: the step ends later, when the function's result has settled. */
  leave(step: ActiveStep, isFollowed: boolean): void {
    // If the function is a paused generator, its caller ended it. If the function was suspended, its `await` threw. In both cases, the
    // caller (if any) is already the current step.
    if (!step.endPause() && !step.suspended) {
      this.current = step.back;
      if (!step.endsWithTurn) endCarrying(step);
    }
    if (!isFollowed) this.end(step, readMonotonicMicros());
  }

  /** Called when the promise that a function returned has settled. */
  settle(step: ActiveStep, outcome: Outcome, atMicros: number): void {
    if (this.finished) return;
    if (outcome.state === 'rejected') this.fail(step, outcome.value);
    else if (outcome.state === 'fulfilled' && step.all) captureOutcome(this.snapshotter, step, outcome.value);
    this.end(step, Math.max(atMicros, step.startMicros, step.returnedMicros));
  }

  private end(step: ActiveStep, atMicros: number): void {
    if (isCounted(step)) {
      if (!this.finished) step.aggregate?.end(step, atMicros);
      return;
    }
    step.left = true;
    step.detached = isDetached(step, atMicros);
    // Also ends a step that adopted this frame, unless the step ended earlier: a middleware's step ends when the middleware calls `next`.
    if (step.endMicros < 0) step.endMicros = atMicros;
  }

  /** Begins a counted call of a function below its parent. Returns null if the step limit leaves no step for the aggregate. */
  private countedCall(
    count: CallCount<ActiveStep>,
    parent: ActiveStep | null,
    site: InstrumentedSite,
  ): ActiveStep | null {
    if (count.aggregate === null) {
      const step = this.push(site.name, site.role ?? 'function', parent, site, false);
      if (step === null) return null;
      step.all = false;
      count.aggregate = new CallAggregate(step);
    }
    return count.aggregate.begin(createCountedCall);
  }

  /** Turns a failed counted call into a step with its values at the throw, unless a limit is reached. */
  private showFailed(call: ActiveStep, aggregate: CallAggregate<ActiveStep>): boolean {
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
    step.caller = this.current;
    this.steps.push(step);
    return step;
  }
}
