import { AsyncResource } from 'node:async_hooks';
import { reportFault, runGuarded } from '../../internal/report.ts';
import { clearInterval, monotonicMs, setImmediate, setInterval } from '../../internal/timers.ts';
import type { RequestTrace } from './request-trace.ts';

/** Time in ms after the response during which the request's work is still recorded. */
const afterResponseMs = 5000;
/**
 * Age of a request in ms at which its trace is sent unfinished if its response is still streaming. Without this limit, the trace of an
 * endless feed would never be sent.
 */
const streamingMs = 60_000;
const lookEveryMs = 50;
/** Number of timer ticks between two checks for long streams: 20 ticks of 50 ms are one second. */
const looksASecond = 20;
/**
 * Duration in µs below which work after the response is ignored: a function that responds as its last action ends slightly later than its
 * response.
 */
const noticedMicros = 1000;

interface Requests {
  /** Requests that have begun and not ended. */
  readonly active: Iterable<RequestTrace>;
  end(trace: RequestTrace): void;
}

/**
 * Requests between their response and the end of their trace. If all steps of a request are closed, the request's trace ends one turn of
 * the event loop after the response, so that work deferred with `setImmediate` is included. Otherwise the trace ends with the last step or
 * after {@link afterResponseMs}. Also ends traces of responses that stream too long. The timer runs only during requests and never keeps
 * the process alive.
 */
export class RequestEnds {
  readonly #requests: Requests;
  /** Number of recorded requests without a finished response. */
  #open = 0;
  #closed: RequestTrace[] = [];
  #lingering: RequestTrace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  /** Created outside any request, because the timer must not inherit the context of the request that starts it. */
  readonly #scope = new AsyncResource('ThroughlineEnds');

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Called when a recorded request begins. */
  opened(): void {
    this.#open++;
    this.#keepLooking();
  }

  /** Called when a response is finished or the client has disconnected. */
  closed(trace: RequestTrace): void {
    if (trace.recording !== null) this.#open--;
    if (this.#closed.push(trace) === 1)
      setImmediate(() => runGuarded('Ending a trace', () => this.#nextTurn()));
  }

  /** Immediately ends the requests that wait for work after their response. */
  settle(): void {
    for (const trace of [...this.#closed.splice(0), ...this.#lingering.splice(0)]) this.#finish(trace);
  }

  #keepLooking(): void {
    if (this.#timer !== undefined) return;
    this.#scope.runInAsyncScope(() => {
      const look = () => runGuarded('Ending a trace', () => this.#look(monotonicMs()));
      this.#timer = setInterval(look, lookEveryMs).unref();
    });
  }

  #nextTurn(): void {
    for (const trace of this.#closed.splice(0)) {
      if (hasOpenSteps(trace)) this.#lingering.push(trace);
      else this.#finish(trace);
    }
    // The timer may have stopped since the response was finished.
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

/**
 * True if a function of the host has not ended its step. Steps in `untilAnswered` do not count: the response for which they wait was never
 * written.
 */
function hasOpenSteps({ recording, untilAnswered }: RequestTrace): boolean {
  if (recording === null) return false;
  recording.following.readUnnoticed();
  for (const step of recording.steps) {
    if (step.endMicros < 0 && !untilAnswered.includes(step)) return true;
    if (step.aggregate !== null && step.aggregate.open > 0) return true;
  }
  return false;
}

/** Marks each step that began after the response, and stores on the trace how long work continued after the response. */
function markAfterResponse(trace: RequestTrace): void {
  const { recording, closedMs } = trace;
  if (recording === null || closedMs === undefined) return;
  const closedMicros = closedMs * 1000;
  let lastMicros = closedMicros;
  let began = false;
  for (const step of recording.steps) {
    const endMicros = step.endMicros < 0 ? monotonicMs() * 1000 : step.endMicros;
    if (endMicros > lastMicros && !trace.untilAnswered.includes(step)) lastMicros = endMicros;
    if (step.startMicros <= closedMicros) continue;
    step.metadata = { ...step.metadata, afterResponse: true };
    began = true;
  }
  if (began || lastMicros - closedMicros > noticedMicros)
    trace.annotate('throughline.afterResponseMs', Math.round(lastMicros - closedMicros) / 1000);
}
