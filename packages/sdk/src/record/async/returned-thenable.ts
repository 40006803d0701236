import { promiseHooks } from 'node:v8';
import { readMonotonicMicros } from '../clock.ts';
import type { LinkedStep } from '../links.ts';
import { beginPropagation, endCarrying } from './async-parent.ts';
import { endStepsWith } from './passed-on.ts';
import type { Then } from './thenables.ts';
import { queueJob, WatchedPromise } from './watched-promise.ts';

const { apply } = Reflect;

/**
 * Replaces a thenable that an async function returns. The language calls `then` once, as on the thenable itself, and gets the same result.
 * While `then` runs, the function's step is current, so the work that `then` starts belongs to this step. The step ends when the function's
 * promise settles.
 */
export class ReturnedThenable {
  readonly #step: LinkedStep;
  readonly #thenable: object;
  readonly #then: Then;
  /** The step of the outermost synchronous function that returned this thenable to the async function; null if none did. */
  readonly #passedOn: LinkedStep | null;
  /** The step that was current before `then` was called. */
  #before: LinkedStep | null = null;
  #isBegun = false;
  #endMicros = -1;

  constructor(step: LinkedStep, thenable: object, then: Then, passedOn: LinkedStep | null) {
    this.#step = step;
    this.#thenable = thenable;
    this.#then = then;
    this.#passedOn = passedOn;
  }

  // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
  then(resolve: unknown, reject: unknown): unknown {
    try {
      this.#begin();
    } catch {}
    try {
      return apply(this.#then, this.#thenable, [resolve, reject]);
    } finally {
      try {
        this.#leave();
      } catch {}
    }
  }

  /** Called when the function has returned the wrapper. The function's step stays open. */
  add(): void {
    this.#endMicros = readMonotonicMicros();
    startFindingPromise();
    // The language queues its call of `then` between these two jobs, so the second job runs after that call.
    queueJob(() => queueJob(() => this.#endUnused()));
  }

  #begin(): void {
    this.#isBegun = true;
    const promise = findPromise();
    const step = this.#step;
    const { recording } = step;
    if (recording === null) return;
    if (promise === null) step.settle({ state: 'unknown' }, this.#endMicros);
    else {
      const watched = WatchedPromise.watch(promise);
      endStepsWith(watched, this.#passedOn);
      watched.add(step);
    }
    this.#before = recording.current;
    recording.current = step;
    beginPropagation(step);
  }

  #leave(): void {
    const { recording } = this.#step;
    if (recording?.current === this.#step) recording.current = this.#before;
    endCarrying(this.#step);
  }

  /** Ends the step if `then` was never called, because a `finally` block returned another value. */
  #endUnused(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    stopFindingPromise();
    this.#step.settle({ state: 'unknown' }, this.#endMicros);
  }
}

/** The number of `then` calls on wrappers that the language is about to make. */
let expected = 0;
let stop: ReturnType<typeof promiseHooks.onBefore> | null = null;
let begun: object | null = null;

/** Starts listening for the promise of the async function. V8 reports this promise just before the language calls `then`. */
function startFindingPromise(): void {
  if (expected++ > 0) return;
  stop = promiseHooks.onBefore(noteBegun);
}

function noteBegun(promise: object): void {
  begun = promise;
}

function findPromise(): object | null {
  const promise = begun;
  stopFindingPromise();
  return promise;
}

function stopFindingPromise(): void {
  if (--expected > 0) return;
  stop?.();
  stop = begun = null;
}
