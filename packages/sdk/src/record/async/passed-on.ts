import { isCounted } from '../counted.ts';
import type { LinkedRecording, LinkedStep } from '../links.ts';
import { Mark } from '../mark.ts';
import { findThen } from './thenables.ts';
import type { WatchedPromise } from './watched-promise.ts';

/** Marks an object with the step of the synchronous function that returned the object last. */
class Returned extends Mark {
  #step: LinkedStep;

  private constructor(object: object, step: LinkedStep) {
    super(object);
    this.#step = step;
  }

  static find(object: object): LinkedStep | null {
    return #step in object ? object.#step : null;
  }

  static note(object: object, step: LinkedStep): void {
    if (#step in object) object.#step = step;
    else new Returned(object, step);
  }
}

/** Stores which synchronous function returned a thenable last, and which functions below it returned the same thenable. */
export function notePassedOn(recording: LinkedRecording, step: LinkedStep, result: object): void {
  // The step of a call that a call aggregate counts is not stored, because the step is reused for later calls.
  if (isCounted(step) || findThen(result) === undefined) recording.lastReturned = null;
  else {
    step.passedOn = findReturned(recording, step, result);
    recording.lastReturned = step;
    Returned.note(result, step);
  }
}

/**
 * Returns the step of the synchronous function that returned this thenable to `caller`. Returns null if a synchronous function has returned
 * another object since then; returned promises do not count.
 */
export function findReturned(
  { lastReturned }: LinkedRecording,
  caller: LinkedStep | null,
  thenable: object,
): LinkedStep | null {
  if (lastReturned === null || lastReturned.caller !== caller) return null;
  return Returned.find(thenable) === lastReturned ? lastReturned : null;
}

/** Returns the step of the innermost function that returned the same thenable as the function of `last`. */
export function findInnermost(last: LinkedStep): LinkedStep {
  let first = last;
  while (first.passedOn !== null) first = first.passedOn;
  return first;
}

/**
 * Keeps the steps of the functions that returned one thenable open until `promise`, which waits for the thenable, settles. `last` is the
 * step of the outermost function.
 */
export function endStepsWith(promise: WatchedPromise, last: LinkedStep | null): void {
  const steps: LinkedStep[] = [];
  for (let step = last; step !== null; step = step.passedOn) if (step.reopen()) steps[steps.length] = step;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index];
    if (step !== undefined) promise.add(step);
  }
}
