import { currentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { guarded, report } from '../internal/report.ts';
import type { Recording } from '../record/recording.ts';
import { runningTracer } from '../runtime/state.ts';
import { describeKind, idText, maxName, maxNamed, namedValues, takeSnapshots } from './validate-arguments.ts';

export interface User {
  readonly id: string | number;
  /** The user's session, where the service knows it. */
  readonly sessionId?: string;
  readonly [property: string]: unknown;
}

const maxSessionId = 512;

/**
 * Adds named values to the current request's trace, where they can be searched for; 100 names at most. A name used before is overwritten. Outside
 * a request it does nothing.
 *
 * @example
 * annotate({ cart: cart.id, items: cart.items.length });
 */
export function annotate(values: Readonly<Record<string, unknown>>): void {
  atHere('annotate', ({ recording, trace }) => {
    const named = namedValues(values);
    if (named === undefined) {
      report(
        `annotate takes named values, as in annotate({ cart: cart.id }), not ${describeKind(values)}; it did nothing`,
      );
      return;
    }
    for (const [name, value] of named) annotateOne(recording, trace, name, value);
  });
}

/**
 * Says whose request this is. `id` is a string or a number; whatever else is given is shown with it. Outside a request it does nothing.
 *
 * @example
 * setUser({ id: user.id, plan: user.plan, sessionId: session.id });
 */
export function setUser(user: User): void {
  atHere('setUser', ({ recording, trace }) => {
    const named = namedValues(user) ?? [];
    const given = new Map(named);
    const userId = idText(given.get('id'));
    if (userId === undefined) {
      report(
        'setUser takes an object with an id, a string or a number, as in setUser({ id: user.id }); it did nothing',
      );
      return;
    }
    const rest = named.filter(([name]) => name !== 'id' && name !== 'sessionId');
    trace.user = { ...takeSnapshots(recording, rest), id: userId };
    const session = idText(given.get('sessionId'));
    if (session !== undefined) trace.sessionId = session.slice(0, maxSessionId);
  });
}

/**
 * Keeps a value as it is now, under a name, with the step that is running (with the trace, between steps). Outside a request it does nothing.
 *
 * @example
 * capture('total before discount', total);
 */
export function capture(name: string, value: unknown): void {
  atHere('capture', ({ recording, trace }) => {
    const key = idText(name)?.slice(0, maxName);
    if (key === undefined) {
      report(
        `capture takes a name and a value, as in capture('total', total), not ${describeKind(name)}; it did nothing`,
      );
      return;
    }
    const { here } = recording;
    if (here === null) annotateOne(recording, trace, key, value);
    else if (hasRoom(here.metadata, key, 'capture')) {
      here.metadata = { ...here.metadata, [key]: recording.snapshot(value) };
    }
  });
}

/** Leaves the current request out: nothing of it is sent. Outside a request it does nothing. */
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
export async function flush(timeoutMs = defaultTimeoutMs): Promise<boolean> {
  try {
    return (await runningTracer()?.flush(usableTimeout(timeoutMs))) ?? true;
  } catch {
    return false;
  }
}

/** Stops tracing, sends what is queued, and releases what is held. Tracing cannot be started again in this process. Never rejects. */
export async function shutdown(timeoutMs = defaultTimeoutMs): Promise<void> {
  try {
    await runningTracer()?.shutdown(usableTimeout(timeoutMs));
  } catch {
    // The exporter has already reported the failure.
  }
}

const defaultTimeoutMs = 5000;
/** Longer, and Node's timers would take it for a millisecond. */
const longestTimeoutMs = 2 ** 31 - 1;

function usableTimeout(given: unknown): number {
  return typeof given === 'number' && given >= 0 ? Math.min(given, longestTimeoutMs) : defaultTimeoutMs;
}

function atHere(what: string, fn: (here: { recording: Recording; trace: RequestTrace }) => void): void {
  guarded(what, () => {
    const trace = currentTrace();
    if (trace?.recording) fn({ recording: trace.recording, trace });
  });
}

function annotateOne(recording: Recording, trace: RequestTrace, name: string, value: unknown): void {
  const key = name.slice(0, maxName);
  if (hasRoom(trace.attributes, key, 'annotate')) trace.annotate(key, recording.snapshot(value));
}

/** Bounds what names alone can take of the host's memory. */
function hasRoom(taken: object | null | undefined, key: string, what: string): boolean {
  if (!taken || Object.hasOwn(taken, key) || Object.keys(taken).length < maxNamed) return true;
  report(`${what} keeps ${maxNamed} names in one place; more are left out: put them in one object`);
  return false;
}
