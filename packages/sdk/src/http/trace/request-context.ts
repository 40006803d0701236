import { AsyncLocalStorage } from 'node:async_hooks';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { runRecording } from '../../record/async/work-context.ts';
import { getCurrentTrace, type RequestMark, type RequestTrace } from './request-trace.ts';

/**
 * The async context of unrecorded requests. Separate from the context of recordings, so that the functions that an unrecorded request calls
 * have no overhead.
 */
const storage = new AsyncLocalStorage<RequestMark>();

export function runInRequest<T>({ recording, mark }: RequestTrace, fn: () => T): T {
  return recording === null ? storage.run(mark, fn) : runRecording(recording, fn);
}

/** True if the current async context belongs to the request. */
export function isInRequest({ recording, mark }: RequestTrace): boolean {
  return recording === null ? storage.getStore() === mark : getCurrentRecording() === recording;
}

/**
 * Marks the request to which the running code belongs as ignored, so that no trace of it is sent. The request can be recorded or
 * unrecorded.
 */
export function ignoreCurrentRequest(): void {
  const recorded = getCurrentTrace()?.mark;
  const unrecorded = storage.getStore();
  const isUnrecorded =
    unrecorded !== undefined && (recorded === undefined || unrecorded.startMs > recorded.startMs);
  // If the code belongs to two requests, one was made within the other. The inner request, which began later, is ignored.
  const inner = isUnrecorded ? unrecorded : recorded;
  if (inner !== undefined) inner.ignored = true;
}
