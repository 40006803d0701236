import { promiseHooks } from 'node:v8';
import { readMonotonicMicros } from '../clock.ts';
import type { LinkedStep } from '../links.ts';
import { Mark } from '../mark.ts';
import { defineProperty } from '../writer/primordials.ts';
import type { LibraryPromises } from './library-promises.ts';
import { type Outcome, readOutcomes } from './promise-outcome.ts';
import { mayBeThenable } from './thenables.ts';

const { apply } = Reflect;
const { then: promiseThen } = Promise.prototype;

/** Queues a microtask. An error in the job must not become an unhandled rejection in the host. */
export function queueJob(job: () => void): void {
  const runJob = function runJob(): void {
    try {
      job();
    } catch {}
  };
  apply(promiseThen, settled, [runJob]);
}

/** A settled promise. Each reaction that is attached to it runs as a microtask. */
const settled = Promise.resolve();
// `then` reads the promise's constructor from the prototype, which the host can change. So the constructor is set on the promise itself.
void defineProperty(settled, 'constructor', { value: undefined });

/**
 * A promise whose settlement ends steps. V8, or the patch of the promise's library, reports the settlement, so no reaction is attached. The
 * outcome is read before the host's own reactions run, or comes from an `await` in instrumented code.
 */
export class WatchedPromise {
  #promise: object;
  /** Null for a native promise. */
  readonly #library: LibraryPromises | null;
  readonly #steps: LinkedStep[] = [];
  #settledMicros = -1;
  #outcome: Outcome | undefined = undefined;
  /** True if instrumented code awaits the promise and so receives its value. */
  #isAwaited = false;

  private constructor(promise: object, library: LibraryPromises | null) {
    this.#promise = promise;
    this.#library = library;
    MarkedPromise.mark(promise, this);
  }

  static find(promise: object): WatchedPromise | undefined {
    return MarkedPromise.find(promise);
  }

  static watch(promise: object): WatchedPromise {
    startWatching();
    let watched = MarkedPromise.find(promise);
    if (watched === undefined) {
      watched = new WatchedPromise(promise, null);
      if (promise === watching.last) watched.noteSettled(watching.lastOutcome);
    }
    return watched;
  }

  static watchIn(library: LibraryPromises, promise: object): WatchedPromise {
    watching.inLibraries = true;
    const target = library.findTarget(promise);
    const watched = MarkedPromise.find(target) ?? new WatchedPromise(target, library);
    watched.read();
    return watched;
  }

  /** Called when a library's promise starts to follow another promise, which then settles in its place. */
  follow(): void {
    if (this.#library === null || this.isDone) return;
    const target = this.#library.findTarget(this.#promise);
    const other = MarkedPromise.find(target);
    if (other === undefined) MarkedPromise.mark(target, this);
    this.#promise = target;
    if (other === undefined || other === this) return;
    for (let index = 0; index < this.#steps.length; index++) {
      const step = this.#steps[index];
      if (step !== undefined) other.add(step);
    }
    this.#steps.length = 0;
  }

  /** Ends the step with the promise's outcome when the promise settles, or immediately if the outcome is known. */
  add(step: LinkedStep): void {
    if (this.#outcome !== undefined) {
      step.settle(this.#outcome, readMonotonicMicros());
      return;
    }
    // If V8 did not report the settlement, the step ends at this time.
    step.returnedMicros = readMonotonicMicros();
    this.#steps[this.#steps.length] = step;
    step.recording?.following.add(this);
  }

  get isDone(): boolean {
    return this.#outcome !== undefined || this.#steps.length === 0;
  }

  /** Called before instrumented code awaits the promise. */
  noteAwaited(): void {
    this.#isAwaited = true;
  }

  /** Called by V8's hook just before the promise settles, with the outcome if it is known. */
  noteSettled(outcome?: Outcome): void {
    if (this.#settledMicros >= 0) return;
    this.#settledMicros = readMonotonicMicros();
    // The steps end in the order in which their promises settled, so a known outcome waits for earlier promises.
    if (outcome !== undefined && watching.queue.length === 0) {
      this.#end(outcome);
      return;
    }
    watching.queue[watching.queue.length] = this;
    // The job is queued now, before the host's reactions are queued, so that the job reads the outcomes before the reactions run.
    if (watching.queue.length === 1) queueJob(readQueue);
  }

  /** Called when instrumented code has received the value. */
  fulfil(value: unknown): void {
    this.#end({ state: 'fulfilled', value });
  }

  /** Reads the outcome if it is not known yet. */
  read(): void {
    if (this.#outcome !== undefined) return;
    if (this.#library !== null) this.take(this.#library.readOutcome(this.#promise));
    else if (this.#steps.length > 0) WatchedPromise.readAll([this]);
  }

  /** Called before the promise's first reaction runs. Reads the outcome if a settlement was reported. */
  readSettled(): void {
    if (this.#settledMicros >= 0) this.read();
  }

  static readAll(those: readonly WatchedPromise[]): void {
    const promises: object[] = [];
    for (let index = 0; index < those.length; index++) {
      const one = those[index];
      if (one !== undefined && one.#library === null) promises[promises.length] = one.#promise;
    }
    const outcomes = promises.length === 0 ? [] : readOutcomes(promises);
    let at = 0;
    for (let index = 0; index < those.length; index++) {
      const one = those[index];
      if (one === undefined) continue;
      if (one.#library === null) one.take(outcomes[at++]);
      else one.read();
    }
  }

  /** True if the outcome must be read from V8. */
  get isUnread(): boolean {
    return !this.#isAwaited && !this.isDone;
  }

  private take(outcome: Outcome | undefined): void {
    if (outcome?.state !== 'pending') this.#end(outcome ?? UNKNOWN);
    // The promise is still pending although a settlement was reported, for example because it was resolved with itself.
    else this.#settledMicros = -1;
  }

  #end(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (let index = 0; index < this.#steps.length; index++)
      this.#steps[index]?.settle(outcome, this.#settledMicros);
    this.#steps.length = 0;
  }
}

const UNKNOWN: Outcome = { state: 'unknown' };

class MarkedPromise extends Mark {
  readonly #watched: WatchedPromise;

  private constructor(promise: object, watched: WatchedPromise) {
    super(promise);
    this.#watched = watched;
  }

  static mark(promise: object, watched: WatchedPromise): void {
    new MarkedPromise(promise, watched);
  }

  static find(promise: object): WatchedPromise | undefined {
    return #watched in promise ? promise.#watched : undefined;
  }
}

interface Watching {
  /** True while V8's hook reports promises that settle. */
  on: boolean;
  /** True while a recording can wait for promises of libraries. */
  inLibraries: boolean;
  stop: ReturnType<typeof promiseHooks.onSettled> | null;
  /**
   * The promise that settled last. A function often returns a promise just after V8 reported its settlement. This property then shows that
   * the promise has settled.
   */
  last: object | null;
  /** The outcome of {@link last}; undefined if it is unknown. */
  lastOutcome: Outcome | undefined;
  /** The outcome of the promise that settles next, if an instrumented async function is about to settle its own promise. */
  nextOutcome: Outcome | undefined;
  queue: WatchedPromise[];
}

export const watching: Watching = {
  on: false,
  inLibraries: false,
  stop: null,
  last: null,
  lastOutcome: undefined,
  nextOutcome: undefined,
  queue: [],
};

/**
 * Called at the very end of an instrumented async function, which settles its promise next. So the outcome of that promise need not be
 * read, which would take some µs.
 */
export function expectOutcome(thrown: readonly [unknown] | null, result: unknown): void {
  if (!watching.on) return;
  if (thrown !== null) watching.nextOutcome = { state: 'rejected', value: thrown[0] };
  else if (!mayBeThenable(result)) watching.nextOutcome = { state: 'fulfilled', value: result };
}

function startWatching(): void {
  if (watching.on) return;
  watching.stop = promiseHooks.onSettled(noteSettled);
  watching.on = true;
}

/** Called when the last recording ends. */
export function stopWatching(): void {
  watching.inLibraries = false;
  if (!watching.on) return;
  watching.on = false;
  watching.last = null;
  watching.lastOutcome = watching.nextOutcome = undefined;
  watching.stop?.();
}

function noteSettled(promise: object): void {
  try {
    const outcome = watching.nextOutcome;
    watching.nextOutcome = undefined;
    watching.last = promise;
    watching.lastOutcome = outcome;
    MarkedPromise.find(promise)?.noteSettled(outcome);
  } catch {}
}

function readQueue(): void {
  const { queue } = watching;
  watching.queue = [];
  try {
    const unread: WatchedPromise[] = [];
    for (let index = 0; index < queue.length; index++) {
      const one = queue[index];
      if (one?.isUnread) unread[unread.length] = one;
    }
    if (unread.length > 0) WatchedPromise.readAll(unread);
  } catch {}
}
