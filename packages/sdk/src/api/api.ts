import { ignoreCurrentRequest } from '../http/trace/request-context.ts';
import { getCurrentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { maxName } from '../internal/name-length.ts';
import { report, runGuarded } from '../internal/report.ts';
import type { Recording } from '../record/recording.ts';
import { getRunningTracer } from '../runtime/state.ts';
import {
  describeKind,
  maxNamed,
  readId,
  readNamedValues,
  reportLimit,
  takeSnapshots,
} from './validate-arguments.ts';

export interface User {
  readonly id: string | number;
  /** Id of the user's session, if known to the service. */
  readonly sessionId?: string;
  readonly [property: string]: unknown;
}

const maxSessionId = 512;
const maxUserId = 1024;

/**
 * Adds searchable named values to the current request's trace; at most 100 names. A repeated name overwrites the earlier value. Does
 * nothing outside a recorded request.
 *
 * @example
 * annotate({ cart: cart.id, items: cart.items.length });
 */
export function annotate(values: Readonly<Record<string, unknown>>): void {
  runHere('annotate', ({ recording, trace }) => {
    const named = readNamedValues(values);
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
 * Sets the user of the current request. `id` is a string or a number; `sessionId` becomes the request's session; all other properties are
 * shown with the user. Does nothing outside a recorded request.
 *
 * @example
 * setUser({ id: user.id, plan: user.plan, sessionId: session.id });
 */
export function setUser(user: User): void {
  runHere('setUser', ({ recording, trace }) => {
    const named = readNamedValues(user) ?? [];
    const given = new Map(named);
    const userId = readId(given.get('id'));
    if (userId === undefined) {
      report(
        'setUser takes an object with an id, a string or a number, as in setUser({ id: user.id }); it did nothing',
      );
      return;
    }
    const rest = named.filter(([name]) => name !== 'id' && name !== 'sessionId');
    trace.user = { ...takeSnapshots(recording, rest, 'setUser'), id: recording.shorten(userId, maxUserId) };
    const session = readId(given.get('sessionId'));
    if (session !== undefined) trace.sessionId = recording.shorten(session, maxSessionId);
  });
}

/**
 * Captures the present state of a value, under a name: on the running step, or on the trace if no step is running. Does nothing outside a
 * recorded request.
 *
 * @example
 * capture('total before discount', total);
 */
export function capture(name: string, value: unknown): void {
  runHere('capture', ({ recording, trace }) => {
    const given = readId(name);
    if (given === undefined) {
      report(
        `capture takes a name and a value, as in capture('total', total), not ${describeKind(name)}; it did nothing`,
      );
      return;
    }
    const key = recording.shorten(given, maxName);
    const { here } = recording;
    if (here === null) annotateOne(recording, trace, key, value);
    else if (hasRoom(here.metadata, key, 'capture')) {
      here.metadata = { ...here.metadata, [key]: recording.snapshot(value) };
    }
  });
}

/**
 * Excludes the current request: the request is neither sent nor counted, even if it fails or is slow. Does nothing outside a request, and
 * after the request's trace was sent.
 */
export function ignore(): void {
  runGuarded('ignore', ignoreCurrentRequest);
}

/**
 * Stops recording immediately, including requests in progress, until {@link resume} is called. Traces that ended earlier are still sent.
 */
export function pause(): void {
  runGuarded('Pausing', () => getRunningTracer()?.pause());
}

/** Resumes recording after {@link pause}, from the next request on. */
export function resume(): void {
  runGuarded('Resuming', () => getRunningTracer()?.resume());
}

/**
 * Sends all queued traces. Resolves to true once each trace is delivered or dropped. Resolves to false after `timeoutMs` (default 5000), or
 * earlier if the SDK must wait longer than `timeoutMs` before it can send again. Never rejects.
 */
export async function flush(timeoutMs = defaultTimeoutMs): Promise<boolean> {
  try {
    return (await getRunningTracer()?.flush(readTimeout(timeoutMs))) ?? true;
  } catch {
    return false;
  }
}

/**
 * Stops tracing, sends queued traces for at most `timeoutMs` (default 5000), and releases resources. Tracing cannot be started again in this
 * process. Never rejects.
 */
export async function shutdown(timeoutMs = defaultTimeoutMs): Promise<void> {
  try {
    await getRunningTracer()?.shutdown(readTimeout(timeoutMs));
  } catch {
    // The exporter has already reported the failure.
  }
}

const defaultTimeoutMs = 5000;
/** Node's timers treat a longer timeout as one millisecond. */
const longestTimeoutMs = 2 ** 31 - 1;

function readTimeout(given: unknown): number {
  return typeof given === 'number' && given >= 0 ? Math.min(given, longestTimeoutMs) : defaultTimeoutMs;
}

function runHere(what: string, fn: (here: { recording: Recording; trace: RequestTrace }) => void): void {
  runGuarded(what, () => {
    const trace = getCurrentTrace();
    if (trace?.recording) fn({ recording: trace.recording, trace });
  });
}

function annotateOne(recording: Recording, trace: RequestTrace, name: string, value: unknown): void {
  const key = recording.shorten(name, maxName);
  if (hasRoom(trace.attributes, key, 'annotate')) trace.annotate(key, recording.snapshot(value));
}

/**
 * Returns false if the step or request already has {@link maxNamed} names, because names use the host's memory. Repeated names are always
 * accepted.
 */
function hasRoom(taken: object | null | undefined, key: string, what: string): boolean {
  if (!taken || Object.hasOwn(taken, key) || Object.keys(taken).length < maxNamed) return true;
  reportLimit(what);
  return false;
}
