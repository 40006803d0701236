import { isPromise } from 'node:util/types';
import type { CapturedValue } from '@throughline/contract/values';
import type { RequestTrace } from './http/request-trace.ts';
import { hasFrame } from './instrumented.ts';
import type { OpenStep } from './record/open-step.ts';
import { currentRecording, type Recording } from './record/recording.ts';
import type { StepType } from './record/types.ts';
import { guarded } from './report.ts';
import { runningTracer } from './state.ts';

export interface StepOptions {
  /** What the step is; `custom` where it is not said. */
  readonly type?: StepType;
  /** Shown with the step. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface User {
  readonly id: string | number;
  /** The user's session, where the service knows it. */
  readonly sessionId?: string;
  readonly [property: string]: unknown;
}

const maxName = 1000;
const maxSessionId = 512;

/**
 * Runs `fn` as a step of the current request and returns what it returns; the step of a promise ends when that settles. Outside a request, or
 * where nothing is recorded, `fn` just runs. What `fn` throws is shown on the step and thrown on.
 *
 * @example
 * const total = await step('price the cart', () => price(cart), { metadata: { items: cart.length } });
 */
export function step<T>(name: string, fn: () => T, options: StepOptions = {}): T {
  const recording = currentRecording();
  const opened = recording && guarded('Opening a step', () => openStep(recording, name, fn, options));
  if (!recording || !opened) return fn();
  let result: T;
  try {
    result = recording.within(opened, fn);
  } catch (error) {
    endStep(recording, opened, { error });
    throw error;
  }
  if (!isPromise(result)) {
    endStep(recording, opened, { result });
    return result;
  }
  return endsByItself(opened) ? result : (settling(recording, opened, result) as T);
}

/** Adds named values to the current request's trace, where they can be searched for. A name used before is overwritten. */
export function annotate(values: Readonly<Record<string, unknown>>): void {
  atHere('annotate', ({ recording, trace }) => {
    for (const [name, value] of Object.entries(values)) trace.annotate(name, recording.snapshot(value));
  });
}

/** Says whose request this is. */
export function setUser(user: User): void {
  atHere('setUser', ({ recording, trace }) => {
    const { id, sessionId, ...rest } = user;
    trace.user = { ...snapshots(recording, rest), id: String(id) };
    if (sessionId !== undefined) trace.sessionId = String(sessionId).slice(0, maxSessionId);
  });
}

/** Keeps a value as it is now, under a name, with the step that is running (with the trace, between steps). */
export function capture(name: string, value: unknown): void {
  atHere('capture', ({ recording, trace }) => {
    const { current } = recording;
    const taken = recording.snapshot(value);
    if (current === null) trace.annotate(name, taken);
    else current.metadata = { ...current.metadata, [name]: taken };
  });
}

/** Leaves the current request out: nothing of it is sent. */
export function ignore(): void {
  atHere('ignore', ({ trace }) => {
    trace.ignored = true;
  });
}

/** Stops recording at once, requests under way included, until {@link resume}. What was recorded before is still sent. */
export function pause(): void {
  guarded('pause', () => runningTracer()?.pause());
}

/** Goes on recording after {@link pause}, from the next request on. */
export function resume(): void {
  guarded('resume', () => runningTracer()?.resume());
}

/** Sends what is queued. Resolves true when all of it was accepted within `timeoutMs` (default 5000), false otherwise; never rejects. */
export async function flush(timeoutMs = 5000): Promise<boolean> {
  try {
    return (await runningTracer()?.flush(timeoutMs)) ?? true;
  } catch {
    return false;
  }
}

/** Stops tracing, sends what is queued, and releases what is held. Tracing cannot be started again in this process. Never rejects. */
export async function shutdown(timeoutMs = 5000): Promise<void> {
  try {
    await runningTracer()?.shutdown(timeoutMs);
  } catch {
    // What could not be sent was reported by the sender.
  }
}

function atHere(what: string, fn: (here: { recording: Recording; trace: RequestTrace }) => void): void {
  guarded(what, () => {
    const recording = currentRecording();
    const trace = recording && runningTracer()?.traceOf(recording);
    if (recording && trace) fn({ recording, trace });
  });
}

function openStep(
  recording: Recording,
  name: string,
  fn: () => unknown,
  options: StepOptions,
): OpenStep | null {
  return recording.open({
    name: String(name).slice(0, maxName),
    type: options.type ?? 'custom',
    ...(options.metadata && { metadata: snapshots(recording, options.metadata) }),
    adopts: hasFrame(fn),
  });
}

function endStep(
  recording: Recording,
  opened: OpenStep,
  outcome: { result?: unknown; error?: unknown },
): void {
  guarded('Ending a step', () => {
    if ('error' in outcome) recording.fail(opened, outcome.error);
    // A function that is instrumented has handed over its result already.
    else if (recording.all && !opened.adopted) opened.outputs = recording.snapshot(outcome.result);
    recording.close(opened);
  });
}

/** An instrumented async function's frame ends when its promise settles. */
function endsByItself(opened: OpenStep): boolean {
  return opened.adopted && opened.site !== null && 'kind' in opened.site && opened.site.kind === 'async';
}

/** The same outcome, after the step was ended with it. Watched from the side, a rejection that the host never handles would look handled. */
function settling(recording: Recording, opened: OpenStep, promise: Promise<unknown>): Promise<unknown> {
  // The function has returned, and its frame with it; what it began goes on.
  opened.endMicros = -1;
  return promise.then(
    (result) => {
      guarded('Ending a step', () => {
        if (recording.all) opened.outputs = recording.snapshot(result);
        recording.close(opened);
      });
      return result;
    },
    (error: unknown) => {
      endStep(recording, opened, { error });
      throw error;
    },
  );
}

function snapshots(
  recording: Recording,
  values: Readonly<Record<string, unknown>>,
): Record<string, CapturedValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, recording.snapshot(value)]));
}
