import { promiseHooks } from 'node:v8';
import type { ActiveStep } from '../active-step.ts';
import { monotonicMicros } from '../clock.ts';
import { beginPropagation, endCarrying } from './async-parent.ts';
import { followWith } from './passed-on.ts';
import { queueJob, WatchedPromise } from './watched-promise.ts';

const { apply } = Reflect;

export type Then = (this: unknown, ...args: unknown[]) => unknown;

/**
 * An async function returns this in place of a thenable. The language calls `then` once, as it would on the thenable itself, and gets the same
 * result. So the work that starts in `then` belongs to the function, whose step ends when its promise settles.
 */
export class ReturnedThenable {
  readonly #step: ActiveStep;
  readonly #thenable: object;
  readonly #then: Then;
  /** The step of the ordinary function that returned it last. */
  readonly #passedOn: ActiveStep | null;
  /** The current step before. */
  #before: ActiveStep | null = null;
  #isBegun = false;
  #endMicros = -1;

  constructor(step: ActiveStep, thenable: object, then: Then, passedOn: ActiveStep | null) {
    this.#step = step;
    this.#thenable = thenable;
    this.#then = then;
    this.#passedOn = passedOn;
  }

  // biome-ignore lint/suspicious/noThenProperty: that is what it is
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

  /** The function has returned this: its step goes on. */
  add(): void {
    this.#endMicros = monotonicMicros();
    startFindingPromise();
    // The language queues the call of `then` between these two.
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
      followWith(watched, this.#passedOn);
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

  /** A `finally` of the function's returned something else. */
  #endUnused(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    stopFindingPromise();
    this.#step.settle({ state: 'unknown' }, this.#endMicros);
  }
}

/** Calls of `then` that the language is about to make. */
let expected = 0;
let stop: ReturnType<typeof promiseHooks.onBefore> | null = null;
let begun: object | null = null;

/** Before the language calls `then`, V8 names the promise that it settles: the async function's own. */
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
