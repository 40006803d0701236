import { ActiveStep } from './active-step.ts';
import { monotonicMicros } from './clock.ts';
import type { FunctionSite, Repeat } from './types.ts';

/** Largest number of failed calls that one aggregate shows as steps. Later failures are only counted. */
const shownFailures = 10;

/**
 * Calls of one function below one step that are counted together, so that a loop of a million calls costs little. Each call under way is an
 * `ActiveStep` that is in no list: what it calls hangs from the aggregate's step. One that fails becomes a step of its own.
 */
export class CallAggregate {
  /** The step that represents all of the calls. */
  readonly step: ActiveStep;
  /** Number of calls that are running. */
  open = 0;
  private count = 0;
  private minMicros = Infinity;
  private sumMicros = 0;
  private maxMicros = 0;
  private failures = 0;
  private shown = 0;
  /** Ended calls that can be used again, linked by `back`. */
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

  /** Counts a call that ended. The call must not be used afterwards. */
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

  /** Returns true where a failed call should become a step of its own. */
  get showsFailure(): boolean {
    return this.shown < shownFailures;
  }

  /** Turns a failed call into a step of its own. */
  release(call: ActiveStep): void {
    this.shown++;
    call.aggregate = null;
    this.leave(monotonicMicros());
  }

  /** Counts a failed call that gets no step of its own. Returns true for the first one: its error becomes the step's. */
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

  /** Builds the totals of the calls. Running calls count as begun only. */
  get repeat(): Repeat {
    const ended = this.count > 0;
    return {
      count: this.count + this.open,
      minMs: ended ? milliseconds(this.minMicros) : 0,
      sumMs: milliseconds(this.sumMicros),
      maxMs: milliseconds(this.maxMicros),
      ...(this.failures > 0 && { errors: this.failures }),
    };
  }
}

function milliseconds(micros: number): number {
  return Math.max(0, Math.round(micros)) / 1000;
}

/** Returns the step that a frame's callees are children of: its own, or the aggregate that counts it. */
export function findShownStep(frame: ActiveStep): ActiveStep {
  return frame.aggregate === null ? frame : frame.aggregate.step;
}

/** Moves the branch that the error came from below the failed call, away from the aggregate's step. */
export function reparent(origin: ActiveStep, stands: ActiveStep, call: ActiveStep): void {
  let link = origin;
  while (link.parent !== null && link.parent !== stands) link = link.parent;
  if (link.parent === stands) link.parent = call;
}

/** Counts the calls of one function by one step. Each step has a linked list of these, with the last called function first. */
export class CallCount {
  readonly site: FunctionSite;
  calls = 0;
  /** The aggregate that counts the calls after the first ones. */
  aggregate: CallAggregate | null = null;
  next: CallCount | null;

  constructor(site: FunctionSite, next: CallCount | null) {
    this.site = site;
    this.next = next;
  }
}

/** Finds the count of earlier calls of `site` by `caller`. Without a Map: hosts replace its methods, and a step calls few functions. */
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
