import { monotonicMicros } from './clock.ts';
import { OpenStep } from './open-step.ts';
import type { FunctionSite, Repeat } from './types.ts';

/** Failed calls that one fold shows as steps of their own; those after them are counted. */
const shownFailures = 10;

/**
 * Calls of one function below one step that are counted together, so that a loop of a million calls costs little. Each call under way is an
 * `OpenStep` that is in no list: what it calls hangs from the fold's step. One that fails becomes a step of its own.
 */
export class Fold {
  /** Stands for all of the calls. */
  readonly step: OpenStep;
  /** Calls under way. */
  open = 0;
  private count = 0;
  private minMicros = Infinity;
  private sumMicros = 0;
  private maxMicros = 0;
  private failures = 0;
  private shown = 0;
  /** Calls that have ended, to be used again: linked by `back`. */
  private free: OpenStep | null = null;

  constructor(step: OpenStep) {
    this.step = step;
    step.fold = this;
  }

  begin(): OpenStep {
    const { step, free } = this;
    let call = free;
    if (call === null) {
      call = new OpenStep(step.recording, step.name, step.type, step.parent, step.site, false, false);
      call.fold = this;
    } else {
      this.free = call.back;
      call.restart();
    }
    this.open++;
    step.endMicros = -1;
    return call;
  }

  /** A call ended. It must not be used any more. */
  end(call: OpenStep, endMicros: number): void {
    const micros = endMicros - call.startMicros - call.pausedMicros;
    this.count++;
    this.sumMicros += micros;
    if (micros < this.minMicros) this.minMicros = micros;
    if (micros > this.maxMicros) this.maxMicros = micros;
    this.leave(endMicros);
    call.back = this.free;
    this.free = call;
  }

  /** Whether a call that fails should be shown by itself. */
  get showsFailure(): boolean {
    return this.shown < shownFailures;
  }

  /** A call that fails becomes a step of its own. */
  release(call: OpenStep): void {
    this.shown++;
    call.fold = null;
    this.leave(monotonicMicros());
  }

  /** A call failed that is not shown by itself. True of the first: its error is to be the step's. */
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

  /** What the step says of its calls; of those under way only that they were begun. */
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

/** The step that a frame's callees hang from: its own, or the one that it is counted in. */
export function standingFor(frame: OpenStep): OpenStep {
  return frame.fold === null ? frame : frame.fold.step;
}

/** Hangs the branch that the error came from below the call that it came through, instead of below the step that stands for all calls. */
export function moveBranch(origin: OpenStep, stands: OpenStep, call: OpenStep): void {
  let link = origin;
  while (link.parent !== null && link.parent !== stands) link = link.parent;
  if (link.parent === stands) link.parent = call;
}

/** How often one step called one function. A list of them stands at each step, the last one called first. */
export class CallCount {
  readonly site: FunctionSite;
  calls = 0;
  /** Where the calls after the first ones are counted. */
  fold: Fold | null = null;
  next: CallCount | null;

  constructor(site: FunctionSite, next: CallCount | null) {
    this.site = site;
    this.next = next;
  }
}

/** The count of calls of `site` by `caller`, before this one. No Map: hosts replace its methods, and a step calls few functions. */
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
