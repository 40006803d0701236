import { AsyncResource } from 'node:async_hooks';
import { guarded, reportFault } from '../../internal/report.ts';
import { clearInterval, monotonicMs, setImmediate, setInterval } from '../../runtime/timers.ts';
import type { RequestTrace } from './request-trace.ts';

/** How long after its response a request's work is still recorded. */
const afterResponseMs = 5000;
/** How long a response may stream before its trace is sent as it stands: nobody waits for a feed's end to see how it began. */
const streamingMs = 60_000;
const lookEveryMs = 50;
/** Streaming is looked at once in so many looks. */
const looksASecond = 20;
/** A function that answers last of all takes a little longer than its response. */
const noticedMicros = 1000;

interface Requests {
  /** All that were opened and have not ended. */
  readonly active: Iterable<RequestTrace>;
  end(trace: RequestTrace): void;
}

/**
 * The requests between their response and their end. One whose steps are all closed ends a turn of the event loop after its response, so that what
 * was put off with `setImmediate` is in it; one with steps still open ends with the last of them, or after {@link afterResponseMs}. Also ends those
 * that stream without end. Its timer runs only while there are requests, and never keeps the process alive.
 */
export class RequestEnds {
  readonly #requests: Requests;
  /** The number of requests without a response. */
  #open = 0;
  #closed: RequestTrace[] = [];
  #lingering: RequestTrace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  /** Made outside of any request: the timer must not inherit the context of the one that starts it. */
  readonly #scope = new AsyncResource('ThroughlineEnds');

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** A request that is recorded has begun. */
  opened(): void {
    this.#open++;
    this.#keepLooking();
  }

  /** Its response is done with, or its client gone. */
  closed(trace: RequestTrace): void {
    if (trace.recording === null) {
      this.#finish(trace);
      return;
    }
    this.#open--;
    if (this.#closed.push(trace) === 1) setImmediate(() => guarded('Ending a trace', () => this.#nextTurn()));
  }

  /** Ends at once what waits for work after its response. */
  settle(): void {
    for (const trace of [...this.#closed.splice(0), ...this.#lingering.splice(0)]) this.#finish(trace);
  }

  #keepLooking(): void {
    if (this.#timer !== undefined) return;
    this.#scope.runInAsyncScope(() => {
      const look = () => guarded('Ending a trace', () => this.#look(monotonicMs()));
      this.#timer = setInterval(look, lookEveryMs).unref();
    });
  }

  #nextTurn(): void {
    for (const trace of this.#closed.splice(0)) {
      if (hasOpenSteps(trace)) this.#lingering.push(trace);
      else this.#finish(trace);
    }
    // It may have stopped since the last of them was open.
    if (this.#lingering.length > 0) this.#keepLooking();
  }

  #look(nowMs: number): void {
    for (const trace of this.#lingering.splice(0)) {
      if (hasOpenSteps(trace) && nowMs - (trace.closedMs ?? nowMs) < afterResponseMs)
        this.#lingering.push(trace);
      else this.#finish(trace);
    }
    if (++this.#looks % looksASecond === 0) this.#endStreaming(nowMs);
    if (this.#open > 0 || this.#lingering.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #endStreaming(nowMs: number): void {
    for (const trace of this.#requests.active) {
      const isStreaming = trace.closedMs === undefined && trace.res.headersSent;
      if (!isStreaming || trace.ended || nowMs - trace.startMs < streamingMs) continue;
      this.#open--;
      trace.cut = true;
      this.#finish(trace);
    }
  }

  #finish(trace: RequestTrace): void {
    if (trace.ended) return;
    trace.ended = true;
    try {
      markAfterResponse(trace);
      this.#requests.end(trace);
    } catch (error) {
      reportFault('Ending a trace', error);
    }
  }
}

/** True if a function of the host keeps a step open. Steps that wait for an answer that never came do not count. */
function hasOpenSteps({ recording, untilAnswered }: RequestTrace): boolean {
  if (recording === null) return false;
  recording.following.readUnnoticed();
  for (const step of recording.steps) {
    if (step.endMicros < 0 && !untilAnswered.includes(step)) return true;
    if (step.aggregate !== null && step.aggregate.open > 0) return true;
  }
  return false;
}

/** Says of each step whether it began after the response, and of the trace how long its work went on. */
function markAfterResponse(trace: RequestTrace): void {
  const { recording, closedMs } = trace;
  if (recording === null || closedMs === undefined) return;
  const closedMicros = closedMs * 1000;
  let lastMicros = closedMicros;
  let began = false;
  for (const step of recording.steps) {
    const endMicros = step.endMicros < 0 ? monotonicMs() * 1000 : step.endMicros;
    if (!trace.untilAnswered.includes(step)) lastMicros = Math.max(lastMicros, endMicros);
    if (step.startMicros <= closedMicros) continue;
    step.metadata = { ...step.metadata, afterResponse: true };
    began = true;
  }
  if (began || lastMicros - closedMicros > noticedMicros)
    trace.annotate('throughline.afterResponseMs', Math.round(lastMicros - closedMicros) / 1000);
}
