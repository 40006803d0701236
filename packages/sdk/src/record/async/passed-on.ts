import { isPromise } from 'node:util/types';
import type { ActiveStep } from '../active-step.ts';
import { isCounted } from '../counted.ts';
import { Mark } from '../mark.ts';
import type { Recording } from '../recording.ts';
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isProxy,
  objectPrototype,
} from '../writer/primordials.ts';
import type { Then } from './returned-thenable.ts';
import type { WatchedPromise } from './watched-promise.ts';

/**
 * The `then` of what is waited for without being a promise of the language, such as a database client's query. Undefined for all other values, and where finding it
 * would run code of the host's.
 */
export function findThen(value: object): Then | undefined {
  if (isProxy(value) || isPromise(value)) return undefined;
  for (let link: object | null = value; link !== null; link = getPrototypeOf(link)) {
    if (link !== value && isProxy(link)) return undefined;
    if (hasOwn(link, 'then')) return thenOn(link);
    if (link === objectPrototype) return undefined;
  }
  return undefined;
}

function thenOn(object: object): Then | undefined {
  const then: unknown = getOwnPropertyDescriptor(object, 'then')?.value;
  return isFunction(then) ? then : undefined;
}

function isFunction(value: unknown): value is Then {
  return typeof value === 'function';
}

/** The step of the ordinary function that returned an object last. */
class Returned extends Mark {
  #step: ActiveStep;

  private constructor(object: object, step: ActiveStep) {
    super(object);
    this.#step = step;
  }

  static find(object: object): ActiveStep | null {
    return #step in object ? object.#step : null;
  }

  static note(object: object, step: ActiveStep): void {
    if (#step in object) object.#step = step;
    else new Returned(object, step);
  }
}

/** Notes which ordinary function returned a thenable last, and which ones below it returned the same. */
export function notePassedOn(recording: Recording, step: ActiveStep, result: object): void {
  // Steps of calls that are counted together are used for later calls.
  if (isCounted(step) || findThen(result) === undefined) recording.lastReturned = null;
  else {
    step.passedOn = findReturned(recording, result);
    recording.lastReturned = step;
    Returned.note(result, step);
  }
}

/** The step of the function that returned this thenable, where none has returned since. */
export function findReturned({ lastReturned }: Recording, thenable: object): ActiveStep | null {
  return lastReturned !== null && Returned.find(thenable) === lastReturned ? lastReturned : null;
}

/** A thenable that functions have returned is waited for, by this promise: their steps go on until it settles. `last` is the outermost. */
export function followWith(promise: WatchedPromise, last: ActiveStep | null): void {
  const steps: ActiveStep[] = [];
  for (let step = last; step !== null; step = step.passedOn) if (step.reopen()) steps[steps.length] = step;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index];
    if (step !== undefined) promise.add(step);
  }
}
