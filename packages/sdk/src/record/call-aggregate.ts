import { readMonotonicMicros } from './clock.ts';
import type { FunctionSite, Repeat } from './types.ts';

/** Maximum number of failed calls that one aggregate shows as steps. Later failures are only counted. */
const shownFailures = 10;

/**
 * The members of a step that counting uses. The class of steps has a field of type {@link CallAggregate}, so this module cannot import that
 * class.
 */
interface CountableStep<Step extends CountableStep<Step>> {
  parent: Step | null;
  aggregate: CallAggregate<Step> | null;
  back: Step | null;
  readonly startMicros: number;
  readonly pausedMicros: number;
  endMicros: number;
  failed: boolean;
  restart(): void;
}

/**
 * Calls of one function below one step that are counted together, so that recording a loop of a million calls costs little. Each running
 * call is an `ActiveStep` that is not in the recording's list of steps. The steps of the call's callees are children of the aggregate's
 * step. At most the first {@link shownFailures} failed calls become steps.
 */
export class CallAggregate<Step extends CountableStep<Step>> {
  /** The step that represents all calls. */
  readonly step: Step;
  /** Number of calls that are running. */
  open = 0;
  private count = 0;
  private minMicros = Infinity;
  private sumMicros = 0;
  private maxMicros = 0;
  /** The end of the call that ended last. Calls of async functions can be counted in another order than they ended. */
  private lastEndMicros = 0;
  private failures = 0;
  /** The failed calls that became steps. */
  private readonly shown: Step[] = [];
  /** All calls that were created for this aggregate. */
  private readonly calls: Step[] = [];
  /** Ended calls that can be reused, linked by `back`. */
  private free: Step | null = null;

  constructor(step: Step) {
    this.step = step;
    step.aggregate = this;
  }

  /**
   * Begins a call. Reuses an ended call if there is one. Otherwise `create` receives the aggregate's step, and creates a call of the same
   * function.
   */
  begin(create: (step: Step) => Step): Step {
    const { step, free } = this;
    let call = free;
    if (call === null) {
      call = create(step);
      call.aggregate = this;
      this.calls[this.calls.length] = call;
    } else {
      this.free = call.back;
      call.restart();
    }
    this.open++;
    step.endMicros = -1;
    return call;
  }

  /** Counts an ended call. The caller must not use the call afterwards. */
  end(call: Step, endMicros: number): void {
    const micros = endMicros - call.startMicros - call.pausedMicros;
    this.count++;
    this.sumMicros += micros;
    if (micros < this.minMicros) this.minMicros = micros;
    if (micros > this.maxMicros) this.maxMicros = micros;
    this.leave(endMicros);
    call.back = this.free;
    this.free = call;
  }

  /** True if a failed call should become a step. */
  get showsFailure(): boolean {
    return this.shown.length < shownFailures;
  }

  /** Removes a failed call from the aggregate, because the call becomes a step. */
  release(call: Step): void {
    this.shown[this.shown.length] = call;
    call.aggregate = null;
    this.leave(readMonotonicMicros());
  }

  /** Counts a failed call that does not become a step. Returns true for the first such call, whose error the aggregate's step shows. */
  noteFailure(): boolean {
    this.failures++;
    if (this.step.failed) return false;
    this.step.failed = true;
    return true;
  }

  /** Passes each call that is no step to `release`, when the recording is finished. No further call can begin. */
  releaseCalls(release: (call: Step) => void): void {
    for (let index = 0; index < this.calls.length; index++) {
      const call = this.calls[index] as Step;
      if (call.aggregate === this) release(call);
    }
    this.calls.length = 0;
    this.free = null;
  }

  /** True if all calls became steps, so that the aggregate represents no call. */
  get isEmpty(): boolean {
    return this.count + this.open === 0;
  }

  /**
   * Finds the parent of a step that began at `micros`, among the failed calls that became steps. Returns `caller` if it is one of these
   * calls. For another caller, such as the caller of a callback, returns the failed call that had started last at `micros`; if none had
   * started, the last failed call.
   */
  findShownCall(caller: Step | null, micros: number): Step | null {
    const { shown } = this;
    let found: Step | null = null;
    for (let index = 0; index < shown.length; index++) {
      const call = shown[index] as Step;
      if (call === caller) return call;
      if (call.startMicros <= micros && (found === null || call.startMicros >= found.startMicros))
        found = call;
    }
    return found ?? shown[shown.length - 1] ?? null;
  }

  private leave(nowMicros: number): void {
    this.open--;
    if (nowMicros > this.lastEndMicros) this.lastEndMicros = nowMicros;
    if (this.open === 0) this.step.endMicros = this.lastEndMicros;
  }

  /** Returns the totals of all calls. A call that is still running adds only to the number of calls. */
  get repeat(): Repeat {
    const ended = this.count > 0;
    return {
      count: this.count + this.open,
      minMs: ended ? toMilliseconds(this.minMicros) : 0,
      sumMs: toMilliseconds(this.sumMicros),
      maxMs: toMilliseconds(this.maxMicros),
      ...(this.failures > 0 && { errors: this.failures }),
    };
  }
}

/** Maximum duration that the server accepts. The sum of many overlapping calls can be longer. */
const maxMs = 3.2e10;

function toMilliseconds(micros: number): number {
  return Math.min(Math.max(0, Math.round(micros)) / 1000, maxMs);
}

/** Returns the step under which the frame's callees appear: the frame's own step, or the aggregate's step for a counted call. */
export function findShownStep<Step extends CountableStep<Step>>(frame: Step): Step {
  return frame.aggregate === null ? frame : frame.aggregate.step;
}

/**
 * Moves the branch that contains `origin`, the step in which the error of a failed call began, from the aggregate's step (`stands`) to the
 * failed call (`call`).
 */
export function moveBranch<Step extends CountableStep<Step>>(origin: Step, stands: Step, call: Step): void {
  let link = origin;
  while (link.parent !== null && link.parent !== stands) link = link.parent;
  if (link.parent === stands) link.parent = call;
}

/**
 * The number of calls of one function by one step. The counts of a step form a linked list, which begins with the function that was called
 * last.
 */
export class CallCount<Step extends CountableStep<Step>> {
  readonly site: FunctionSite;
  calls = 0;
  /** The aggregate that counts the later calls of the function. The first calls become steps. */
  aggregate: CallAggregate<Step> | null = null;
  next: CallCount<Step> | null;

  constructor(site: FunctionSite, next: CallCount<Step> | null) {
    this.site = site;
    this.next = next;
  }
}

/**
 * Returns the count of calls of `site` by `caller`, and creates it at the first call. Uses no Map, because hosts can replace Map's methods
 * and a step calls few functions.
 */
export function getCallCount<Step extends CountableStep<Step>>(
  caller: { calls: CallCount<Step> | null },
  site: FunctionSite,
): CallCount<Step> {
  const first = caller.calls;
  if (first !== null && first.site === site) return first;
  let before = first;
  for (let count = first?.next ?? null; count !== null; count = count.next) {
    if (count.site === site) {
      if (before !== null) before.next = count.next;
      count.next = first;
      caller.calls = count;
      return count;
    }
    before = count;
  }
  caller.calls = new CallCount(site, first);
  return caller.calls;
}
