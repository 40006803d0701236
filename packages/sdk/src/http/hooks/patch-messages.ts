import type { EventEmitter } from 'node:events';
import { reportFault, runGuarded } from '../../internal/report.ts';
import type { BodyTap } from '../messages/body.ts';
import { isInRequest, runInRequest } from '../trace/request-context.ts';
import { findRequestTrace, type RequestTrace } from '../trace/request-trace.ts';

/**
 * True if the event needs no change of context: its listeners belong to the current step, or the event has no listener. Entering a context
 * costs time, and most events have no listener.
 */
function isInContext(message: EventEmitter, trace: RequestTrace, event: unknown): boolean {
  if (isInRequest(trace)) return !isEndOfWrites(event) || isInCallOrRequest(trace);
  return typeof event === 'string' && message.listenerCount(event) === 0;
}

/** Node emits these events in the context of the last write, for example in the context of the function that opened the sent file. */
function isEndOfWrites(event: unknown): boolean {
  return event === 'finish' || event === 'close';
}

/** True if a function on the stack causes the event, or if the context is the request's own and not that of a step. */
function isInCallOrRequest({ recording }: RequestTrace): boolean {
  return recording === null || recording.current !== null || recording.here === null;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a prototype's method as invisibly as possible: not enumerable, under the original name. */
export function replaceMethod<T extends object>(
  prototype: T,
  name: keyof T & string,
  make: (original: Method) => (this: T, ...args: unknown[]) => unknown,
): void {
  const original: unknown = prototype[name];
  if (!isMethod(original)) return;
  const value = make(original);
  Object.defineProperty(value, 'name', { value: name, configurable: true });
  Object.defineProperty(prototype, name, { value, enumerable: false, writable: true, configurable: true });
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/** Hooks `push` to see request bodies as the parser delivers them, even if the host does not read them. */
export function patchIncoming(prototype: EventEmitter & { push(chunk: unknown): boolean }): void {
  replaceMethod(
    prototype,
    'push',
    (push) =>
      function (...args) {
        if (args[0] !== null) passToTap(findRequestTrace(this)?.requestBody, args[0], args[1]);
        return push.apply(this, args);
      },
  );
}

/** Passes a chunk to the body's tap. An error in the tap must not stop the host's data. */
function passToTap(body: BodyTap | null | undefined, chunk: unknown, encoding: unknown): void {
  try {
    body?.add(chunk, encoding);
  } catch (error) {
    reportFault('Reading a body', error);
  }
}

type Outgoing = EventEmitter & { write(chunk: unknown): boolean; end(): unknown };

/** Hooks `write` and `end` to see response bodies and the end of the response. */
export function patchOutgoing(prototype: Outgoing): void {
  replaceMethod(
    prototype,
    'write',
    (write) =>
      function (...args) {
        passToTap(findRequestTrace(this)?.responseBody, args[0], args[1]);
        return write.apply(this, args);
      },
  );

  replaceMethod(
    prototype,
    'end',
    (end) =>
      function (...args) {
        const trace = findRequestTrace(this);
        passToTap(trace?.responseBody, args[0], args[1]);
        const result = end.apply(this, args);
        if (trace !== undefined) runGuarded('Ending a response', () => trace.answered());
        return result;
      },
  );
}

/**
 * Runs the listeners of a message's events in the request's context, because the parser emits the events in the connection's context.
 * Calls `onClose` when the message closes.
 */
export function patchEvents(prototype: EventEmitter, onClose?: (trace: RequestTrace) => void): void {
  replaceMethod(
    prototype,
    'emit',
    (emit) =>
      function (...args) {
        const trace = findRequestTrace(this);
        if (trace === undefined) return emit.apply(this, args);
        try {
          if (isInContext(this, trace, args[0])) return emit.apply(this, args);
          return runInRequest(trace, () => emit.apply(this, args));
        } finally {
          if (args[0] === 'close') runGuarded('Ending a request', () => onClose?.(trace));
        }
      },
  );
}
