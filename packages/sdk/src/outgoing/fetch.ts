import { isPromise } from 'node:util/types';
import { type Method, readProperty, replaceOnce } from '../internal/foreign.ts';
import { runGuarded } from '../internal/report.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { OutgoingCall } from './outgoing-call.ts';
import { fetching } from './undici.ts';

/**
 * Opens a step when the host calls the global `fetch`. undici begins the request later, when no host code is on the stack. The data of
 * request and response come from undici.
 */
export function patchFetch(): void {
  replaceOnce(globalThis, 'fetch', wrapFetch);
}

function wrapFetch(original: Method): Method {
  return function (...args) {
    const recording = getCurrentRecording();
    const call =
      recording && runGuarded('Starting a step', () => begin(OutgoingCall.open(recording, true), args));
    if (!recording || !call) return original.apply(this, args);
    const result = fetching.run(call, () => recording.within(call.step, () => original.apply(this, args)));
    if (!isPromise(result)) return result;
    return result.then(
      (response) => {
        runGuarded('Ending a step', () => {
          // If undici made no request, as for a `data:` URL, the step is described from the response here.
          const status = readProperty(response, 'status');
          if (call.hasAnswer || typeof status !== 'number') return;
          call.answered(status, {});
          call.finish();
        });
        return response;
      },
      (error: unknown) => {
        runGuarded('Ending a step', () => call.fail(error));
        throw error;
      },
    );
  };
}

/** Names the step from the arguments that the host passed to `fetch`, if these can be read without running host code. */
function begin(call: OutgoingCall | null, [input, init]: unknown[]): OutgoingCall | null {
  const request = input instanceof Request ? input : undefined;
  const url = typeof input === 'string' ? input : input instanceof URL ? input.href : request?.url;
  const given = Object.getOwnPropertyDescriptor(Object(init), 'method')?.value;
  const method = typeof given === 'string' ? given.toUpperCase() : (request?.method ?? 'GET');
  if (url !== undefined) call?.name(method, url);
  return call;
}
