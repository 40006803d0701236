import { ActiveStep } from './active-step.ts';
import { readMonotonicMicros } from './clock.ts';
import type { FunctionSite, Repeat } from './types.ts';

/** Maximum number of failed calls that one aggregate shows as steps. Later failures are only counted. */
const shownFailures = 10;

/**
 * Calls of one function below one step that are counted together, so that recording a loop of a million calls costs little. Each running
 * call is an `ActiveStep` that is not in the recording's list of steps. The steps of its callees are children of the aggregate's step. A
 * failed call becomes a step.
 */
export class CallAggregate {
  /** The step that represents all calls. */
  readonly step: ActiveStep;
  /** Number of calls that are running. */
  open = 0;
  private count = 0;
  private minMicros = Infinity;
  private sumMicros = 0;
  private maxMicros = 0;
  private failures = 0;
  private shown = 0;
  /** Ended calls that can be reused, linked by `back`. */
  private free: ActiveStep | null = null;

  constructor(step: ActiveStep) {
    this.step = step;
    step.aggregate = this;
  }

  begin(): ActiveStep {
    const { step, free } = this;
    let call = free;
    if (call === null) {
      call = new ActiveStep(step.recording, step.name, step.type, step.parent, step.site, false, false);
      call.aggregate = this;
    } else {
      this.free = call.back;
      call.restart();
    }
    this.open++;
    step.endMicros = -1;
    return call;
  }

  /** Counts an ended call. The caller must not use the call afterwards. */
  end(call: ActiveStep, endMicros: number): void {
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
    return this.shown < shownFailures;
  }

  /** Removes a failed call from the aggregate, because the call becomes a step. */
  release(call: ActiveStep): void {
    this.shown++;
    call.aggregate = null;
    this.leave(readMonotonicMicros());
  }

  /** Counts a failed call that does not become a step. Returns true for the first failure, whose error the aggregate's step shows. */
  noteFailure(): boolean {
    this.failures++;
    if (this.step.failed) return false;
    this.step.failed = true;
    return true;
  }

  private leave(nowMicros: number): void {
    this.open--;
    if (this.open === 0) this.step.endMicros = nowMicros;
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

function toMilliseconds(micros: number): number {
  return Math.max(0, Math.round(micros)) / 1000;
}

/** Returns the step under which the frame's callees appear: the frame's own step, or the aggregate's step for a counted call. */
export function findShownStep(frame: ActiveStep): ActiveStep {
  return frame.aggregate === null ? frame : frame.aggregate.step;
}

/** Moves the branch of steps in which the error began. The branch is below the aggregate's step, and must be below the failed call. */
export function moveBranch(origin: ActiveStep, stands: ActiveStep, call: ActiveStep): void {
  let link = origin;
  while (link.parent !== null && link.parent !== stands) link = link.parent;
  if (link.parent === stands) link.parent = call;
}

/**
 * The number of calls of one function by one step. The counts of a step form a linked list, with the function that was called last at its
 * beginning.
 */
export class CallCount {
  readonly site: FunctionSite;
  calls = 0;
  /** The aggregate that counts the calls that come after the first ones, which become steps. */
  aggregate: CallAggregate | null = null;
  next: CallCount | null;

  constructor(site: FunctionSite, next: CallCount | null) {
    this.site = site;
    this.next = next;
  }
}

/**
 * Finds the count of earlier calls of `site` by `caller`. Uses no Map, because hosts can replace Map's methods and a step calls few
 * functions.
 */
export function getCallCount(caller: { calls: CallCount | null }, site: FunctionSite): CallCount {
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
