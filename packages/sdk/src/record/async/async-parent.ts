import { types } from 'node:util';
import type { LinkedRecording, LinkedStep, StartedWork } from '../links.ts';
import type { InstrumentedSite } from '../types.ts';
import {
  enterWork,
  getCurrentFrame,
  getCurrentWork,
  runWork,
  switchFrame,
  WorkContext,
} from './work-context.ts';

/**
 * Each step's code runs in an async context of its own, because after an `await` a library can call the SDK with no host code on the stack.
 * Two context changes per call cost about 0.2 µs. So calls in call aggregates, such as calls in a loop, change the context only while `on`
 * is true. `on` is set when a library is loaded whose work becomes steps, or when such work begins with an empty stack.
 */
export const propagation = { on: false };

/**
 * True if calls of such a function change the async context even if a call aggregate counts them. Calls of async functions always change
 * the context, because such a call costs more than the change.
 */
export function changesIfCounted(kind: InstrumentedSite['kind']): boolean {
  return propagation.on || kind === 'async' || kind === 'async-generator';
}

/** Called when the step's code starts or continues. Work started from now on belongs to the step. */
export function beginPropagation(step: LinkedStep): void {
  if (step.recording === null) return;
  step.carried ??= new WorkContext(step.recording, step);
  const before = getCurrentWork();
  // The current context is already the step's own if the stack was unwound or the step waited in its own context. Then the context is not
  // the one to restore later.
  if (before === step.carried) return;
  step.carriedBefore = before;
  // If the step continues in the context in which it began, the context frame in which the step ran before is used again.
  if (before !== undefined && switchFrame(step.frameBefore, step.frame)) return;
  const outer = getCurrentFrame();
  enterWork(step.carried);
  // Nothing is restored after an `await`, because the context ends when the function waits again or returns.
  if (step.endsWithTurn) return;
  step.frameBefore = outer;
  step.frame = getCurrentFrame();
}

/** Called when the step's code ends or pauses. Work started from now on belongs to the step's caller. */
export function endCarrying(step: LinkedStep): void {
  if (step.carried === null) return;
  if (step.carriedBefore === undefined || !switchFrame(step.frame, step.frameBefore))
    enterWork(step.carriedBefore);
  step.carriedBefore = undefined;
  // A context frame with values of the host's `AsyncLocalStorage` is released, so that the values do not stay in memory until the request
  // ends.
  if (step.frame !== undefined && step.frame.size > 1) step.frame = step.frameBefore = undefined;
}

/** Runs `fn` so that all work started in `fn` belongs to `step`. */
export function runWithParent<T>(step: LinkedStep, fn: () => T): T {
  return step.recording === null ? fn() : runWork(new WorkContext(step.recording, step), fn);
}

/**
 * Makes the work that starts from now on belong to `step`, or to the request itself if `step` is null. Returns the previous work context,
 * which the caller restores with `enterWork`.
 */
export function setParent(recording: LinkedRecording, step: LinkedStep | null): StartedWork | undefined {
  const before = getCurrentWork();
  enterWork(step === null ? recording.context : new WorkContext(recording, step));
  return before;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isPromise } = types;
const IntactPromise = Promise;
const { resolve: resolved } = Promise;
const { apply } = Reflect;

/**
 * Prepares an awaited thenable, such as a Prisma query, that starts its work in `then`. Without this, `then` would run in the async context
 * that is current once the step is suspended. With this, `then` runs in the context that is current now. The result is the same as that of
 * `await`, and is available after the same number of microtasks.
 */
export function subscribeThenable(awaited: unknown, isYielded: boolean): unknown {
  if (typeof awaited !== 'object' || awaited === null) return awaited;
  // `await` calls the `then` of a promise only if the promise is of a subclass, such as a postgres.js query, so other promises need no
  // preparation. In a compiled `await` (`isYielded`), no promise needs preparation, because the compiler's helper calls `then` immediately.
  if (isPromise(awaited) && (isYielded || getPrototypeOf(awaited) === IntactPromise.prototype))
    return awaited;
  // `await` reads a promise's constructor, and wraps the promise if the constructor is not `Promise`. If the host has replaced the
  // constructor, nothing is prepared.
  if (getOwnPropertyDescriptor(IntactPromise.prototype, 'constructor')?.value !== IntactPromise)
    return awaited;
  return apply(resolved, IntactPromise, [awaited]);
}
