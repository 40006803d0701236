import { isPromise } from 'node:util/types';
import { guarded } from '../internal/report.ts';
import { type Method, property, replaceOnce } from '../libraries/foreign.ts';
import { currentRecording } from '../record/async/work-context.ts';
import { OutgoingCall } from './outgoing-call.ts';
import { fetching } from './undici.ts';

/**
 * Makes each call of the global `fetch` a step where the host calls it: undici begins its request later, when nothing of the host's is on the
 * stack. What is sent and what comes back is undici's to tell.
 */
export function watchFetch(): void {
  replaceOnce(globalThis, 'fetch', watchedFetch);
}

function watchedFetch(original: Method): Method {
  return function (...args) {
    const recording = currentRecording();
    const call =
      recording && guarded('Opening a step', () => begin(OutgoingCall.open(recording, true), args));
    if (!recording || !call) return original.apply(this, args);
    const result = fetching.run(call, () => recording.within(call.step, () => original.apply(this, args)));
    if (!isPromise(result)) return result;
    return result.then(
      (response) => {
        guarded('Ending a step', () => {
          // A `data:` address, say: no request was made.
          const status = property(response, 'status');
          if (call.hasAnswer || typeof status !== 'number') return;
          call.answered(status, {});
          call.finish();
        });
        return response;
      },
      (error: unknown) => {
        guarded('Ending a step', () => call.fail(error));
        throw error;
      },
    );
  };
}

/** Names the step from what the host gave, as far as that can be read without running its code. */
function begin(call: OutgoingCall | null, [input, init]: unknown[]): OutgoingCall | null {
  const request = input instanceof Request ? input : undefined;
  const url = typeof input === 'string' ? input : input instanceof URL ? input.href : request?.url;
  const given = Object.getOwnPropertyDescriptor(Object(init), 'method')?.value;
  const method = typeof given === 'string' ? given.toUpperCase() : (request?.method ?? 'GET');
  if (url !== undefined) call?.name(method, url);
  return call;
}
