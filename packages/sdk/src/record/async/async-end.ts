import { isPromise } from 'node:util/types';
import type { DelayedEnd, LinkedRecording, LinkedStep } from '../links.ts';
import type { InstrumentedSite } from '../types.ts';
import { runWithParent, subscribeThenable } from './async-parent.ts';
import { findLibraryPromises } from './library-promises.ts';
import { endStepsWith, findInnermost, findReturned, notePassedOn } from './passed-on.ts';
import { ReturnedThenable } from './returned-thenable.ts';
import { findThen } from './thenables.ts';
import { WatchedPromise, watching } from './watched-promise.ts';

/**
 * Finds the promise or thenable whose settlement ends the step of a function that returned `result`. Returns null if the step ends when the
 * function returns.
 */
export function findFollowed(
  step: LinkedStep,
  recording: LinkedRecording,
  result: unknown,
): DelayedEnd | null {
  if (typeof result === 'function') step.returnedFunction = true;
  if (typeof result !== 'object' || result === null) return null;
  const { kind } = step.site as InstrumentedSite;
  if (kind === 'async') {
    if (step.handed !== null) return step.handed;
  } else if (kind !== 'sync') return null;
  const watched = watchResult(result);
  if (watched !== null) return watched;
  if (kind === 'sync') notePassedOn(recording, step, result);
  return null;
}

/** Returns the wrapper that an async function must return instead of the thenable `returned`; null if `returned` is not a thenable. */
export function wrapReturned(
  step: LinkedStep,
  recording: LinkedRecording,
  returned: object,
): ReturnedThenable | null {
  const then = findThen(returned);
  if (then === undefined) return null;
  return new ReturnedThenable(step, returned, then, findReturned(recording, step, returned));
}

/**
 * Returns the value that `step` must await instead of `awaited`. Keeps the steps of functions that returned `awaited` open until the
 * awaited promise settles.
 */
export function beginAwait(
  step: LinkedStep,
  recording: LinkedRecording,
  awaited: object,
  isYielded: boolean,
): unknown {
  const returned = findReturned(recording, step, awaited);
  if (returned !== null) return beginReturned(step, returned, awaited);
  if (watching.on) {
    const watched = WatchedPromise.find(awaited);
    if (watched !== undefined) noteAwait(step, watched);
  }
  return step.carried === null ? awaited : subscribeThenable(awaited, isYielded);
}

/** Watches the result if it is a promise, native or of a patched library. */
export function watchResult(result: unknown): WatchedPromise | null {
  if (typeof result !== 'object' || result === null) return null;
  if (isPromise(result)) return WatchedPromise.watch(result);
  const library = findLibraryPromises(result);
  return library === undefined ? null : WatchedPromise.watchIn(library, result);
}

function beginReturned(step: LinkedStep, returned: LinkedStep, awaited: object): unknown {
  // Starts the work in the async context of the innermost function that returned the thenable.
  const begun = runWithParent(findInnermost(returned), () => subscribeThenable(awaited, false));
  // The work has already started, so an error here must not make the caller start it a second time.
  try {
    if (typeof begun !== 'object' || begun === null || !isPromise(begun)) return begun;
    const watched = WatchedPromise.watch(begun);
    noteAwait(step, watched);
    endStepsWith(watched, returned);
  } catch {}
  return begun;
}

function noteAwait(step: LinkedStep, watched: WatchedPromise): void {
  watched.noteAwaited();
  step.awaited = watched;
}
