import http, { ClientRequest, IncomingMessage } from 'node:http';
import type https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { isMethod, type Method, replaceOnce } from '../internal/foreign.ts';
import { onHttpsLoad } from '../internal/node-https.ts';
import { runGuarded } from '../internal/report.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { runRecording } from '../record/async/work-context.ts';
import { convertNodeHeaders } from './headers.ts';
import { OutgoingCall } from './outgoing-call.ts';

/** Creates a step of the current recorded request for each request that the host or its libraries send with `http` and `https`. */
export function patchHttpClients(): void {
  patchClient(http);
  onHttpsLoad(patchClient);
}

function patchClient(client: typeof http | typeof https): void {
  replaceOnce(client, 'request', wrapRequest);
  // Replaces `get` too, because Node's own `get` does not call the replaced `request`.
  replaceOnce(client, 'get', (get) => {
    return function (...args) {
      if (getCurrentRecording() === undefined) return get.apply(this, args);
      const request: unknown = Reflect.apply(client.request, this, args);
      if (request instanceof ClientRequest) request.end();
      return request;
    };
  });
  // Makes `import { request } from 'node:http'` return the replaced function, too.
  syncBuiltinESMExports();
}

function wrapRequest(original: Method): Method {
  return function (...args) {
    const recording = getCurrentRecording();
    const call = recording && runGuarded('Starting a step', () => OutgoingCall.open(recording));
    if (!recording || !call) return original.apply(this, args);
    let request: unknown;
    try {
      request = recording.within(call.step, () => original.apply(this, args));
    } catch (error) {
      runGuarded('Ending a step', () => call.fail(error));
      throw error;
    }
    runGuarded('Recording a request', () => {
      if (request instanceof ClientRequest) patchRequest(request, call);
    });
    return request;
  };
}

function patchRequest(request: ClientRequest, call: OutgoingCall): void {
  const { traceParent } = call;
  // If the host passed the headers as a list, Node has already written the request's head, and no header can be added.
  if (traceParent !== undefined && !request.headersSent && !request.hasHeader('traceparent')) {
    request.setHeader('traceparent', traceParent);
  }
  call.describe({
    method: request.method,
    url: `${request.protocol}//${getHost(request)}${request.path}`,
    headers: convertNodeHeaders(request.getHeaders()),
  });
  replaceMethod(request, 'write', (write) => {
    return function (...args) {
      call.sent(args[0], args[1]);
      return write.apply(this, args);
    };
  });
  replaceMethod(request, 'end', (end) => {
    return function (...args) {
      call.sent(args[0], args[1]);
      return end.apply(this, args);
    };
  });
  replaceMethod(request, 'emit', (emit) => {
    return function (...args) {
      runGuarded('Recording a request', () => noteEvent(call, args));
      return runInContext(call, () => emit.apply(this, args));
    };
  });
}

function noteEvent(call: OutgoingCall, [event, detail]: unknown[]): void {
  if (event === 'response' || event === 'upgrade' || event === 'connect') {
    if (!(detail instanceof IncomingMessage)) return;
    call.answered(detail.statusCode ?? 0, convertNodeHeaders(detail.headers));
    if (event === 'response') patchResponse(detail, call);
    else call.finish();
  } else if (event === 'error') call.fail(detail);
}

/**
 * Hooks the response's `push`, in order to see each chunk of the body when the parser delivers the chunk, even if the host does not read
 * the body.
 */
function patchResponse(response: IncomingMessage, call: OutgoingCall): void {
  replaceMethod(response, 'push', (push) => {
    return function (...args) {
      if (args[0] === null) runGuarded('Ending a step', () => call.finish());
      else call.received(args[0], args[1]);
      return push.apply(this, args);
    };
  });
  replaceMethod(response, 'emit', (emit) => {
    return function (...args) {
      if (args[0] === 'error') runGuarded('Ending a step', () => call.fail(args[1]));
      return runInContext(call, () => emit.apply(this, args));
    };
  });
}

/** Runs `fn` in the call's context. Events of a kept-alive connection can arrive in the context of another request. */
function runInContext<T>(call: OutgoingCall, fn: () => T): T {
  const { recording } = call;
  return recording.finished || getCurrentRecording() === recording ? fn() : runRecording(recording, fn);
}

/** Replaces a method on one object only, so that requests that are not recorded have no overhead. */
function replaceMethod(
  target: ClientRequest | IncomingMessage,
  name: string,
  make: (original: Method) => Method,
): void {
  const original: unknown = Reflect.get(target, name);
  if (!isMethod(original)) return;
  Object.defineProperty(target, name, { value: make(original), writable: true, configurable: true });
}

function getHost(request: ClientRequest): string {
  const header = request.getHeader('host');
  return typeof header === 'string' ? header : request.host;
}
