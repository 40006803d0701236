import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { runGuarded } from '../internal/report.ts';
import { beginInjected } from './entry.ts';
import { patchIncoming } from './hooks/patch-messages.ts';
import type { TracedRequest } from './messages/traced-message.ts';
import { runInRequest } from './trace/request-context.ts';
import type { RequestTrace } from './trace/request-trace.ts';

type Dispatch = (...args: unknown[]) => unknown;

const patched = new WeakSet<object>();

/**
 * Wraps `dispatch`, which handles request and response objects created without a server, so that these requests are traced like the
 * requests of a server.
 */
export function dispatchTraced(dispatch: Dispatch): Dispatch {
  return function (this: unknown, ...args: unknown[]): unknown {
    const trace = runGuarded('Recording a request', () => beginTrace(args[0], args[1]));
    const call = () => dispatch.apply(this, args);
    return trace === undefined ? call() : runInRequest(trace, call);
  };
}

function beginTrace(req: unknown, res: unknown): RequestTrace | undefined {
  if (!isRequest(req) || !(res instanceof ServerResponse)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(req);
  if (prototype instanceof Readable && !patched.has(prototype)) {
    patched.add(prototype);
    patchIncoming(prototype);
  }
  return beginInjected(req, res);
}

function isRequest(value: unknown): value is TracedRequest & Readable {
  return value instanceof Readable && 'method' in value && 'url' in value && 'headers' in value;
}
