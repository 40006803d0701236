import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { call as callMethod, readProperty, readTextProperty } from '../internal/foreign.ts';
import { reportFault } from '../internal/report.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { convertUndiciHeaders } from './headers.ts';
import { OutgoingCall } from './outgoing-call.ts';

/** The `fetch` call for which undici currently works. The step of the call was opened when the host called `fetch`. */
export const fetching = new AsyncLocalStorage<OutgoingCall>();

const calls = new WeakMap<object, OutgoingCall>();

/**
 * Observes undici through its diagnostics channels: the copy in Node, which `fetch` uses, and copies in node_modules. A request that does
 * not belong to a `fetch` call gets a step of its own.
 */
export function subscribeToUndici(): void {
  on('create', (request) => {
    const recording = getCurrentRecording();
    if (recording === undefined) return;
    const fetchCall = fetching.getStore();
    const call = fetchCall?.recording === recording ? fetchCall : OutgoingCall.open(recording);
    if (call === null) return;
    calls.set(request, call);
    const { traceParent } = call;
    const headers = convertUndiciHeaders(readProperty(request, 'headers'));
    if (traceParent !== undefined && !('traceparent' in headers)) {
      callMethod(request, 'addHeader', 'traceparent', traceParent);
    }
    const origin = readProperty(request, 'origin');
    call.describe({
      method: readTextProperty(request, 'method') ?? 'GET',
      url: `${origin instanceof URL ? origin.origin : String(origin)}${readTextProperty(request, 'path') ?? ''}`,
      headers: convertUndiciHeaders(readProperty(request, 'headers')),
    });
  });
  on('bodyChunkSent', (request, message) => calls.get(request)?.sent(readProperty(message, 'chunk')));
  on('headers', (request, message) => {
    const response = readProperty(message, 'response');
    const statusCode = readProperty(response, 'statusCode');
    if (typeof statusCode !== 'number') return;
    calls.get(request)?.answered(statusCode, convertUndiciHeaders(readProperty(response, 'headers')));
  });
  on('bodyChunkReceived', (request, message) => calls.get(request)?.received(readProperty(message, 'chunk')));
  on('trailers', (request) => {
    const call = calls.get(request);
    // After a redirect, `fetch` sends another request, so the step does not end yet.
    if (call !== undefined && !(call.isFetch && call.isRedirected)) call.finish();
  });
  on('error', (request, message) => calls.get(request)?.fail(readProperty(message, 'error')));
}

function on(event: string, listener: (request: object, message: unknown) => void): void {
  subscribe(`undici:request:${event}`, (message) => {
    // An error thrown by a subscriber would be an uncaught exception of the host.
    try {
      const request = readProperty(message, 'request');
      if (typeof request === 'object' && request !== null) listener(request, message);
    } catch (error) {
      reportFault('Recording a request', error);
    }
  });
}
