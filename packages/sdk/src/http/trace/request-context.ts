import { AsyncLocalStorage } from 'node:async_hooks';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { runRecording } from '../../record/async/work-context.ts';
import { getCurrentTrace, type RequestTrace, type UnrecordedRequest } from './request-trace.ts';

/**
 * The context of unrecorded requests. Separate from the context of recordings, so that an unrecorded request costs the code that it runs
 * nothing.
 */
const storage = new AsyncLocalStorage<UnrecordedRequest>();

/** Runs `fn` in the request's async context. */
export function runInRequest<T>({ recording, unrecorded }: RequestTrace, fn: () => T): T {
  if (recording !== null) return runRecording(recording, fn);
  return unrecorded === null ? fn() : storage.run(unrecorded, fn);
}

/** True if the current async context is that of the request. */
export function isInRequest({ recording, unrecorded }: RequestTrace): boolean {
  return recording === null ? storage.getStore() === unrecorded : getCurrentRecording() === recording;
}

/** Excludes the request to which the running code belongs, whether or not the request is recorded. */
export function ignoreCurrentRequest(): void {
  const recorded = getCurrentTrace();
  const unrecorded = storage.getStore();
  // If the code belongs to two requests, one of them was made within the other one, and began later.
  if (unrecorded !== undefined && (recorded === undefined || unrecorded.startMs > recorded.startMs))
    unrecorded.ignored = true;
  else recorded?.ignore();
}
