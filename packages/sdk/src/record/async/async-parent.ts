import { types } from 'node:util';
import type { ActiveStep, InstrumentedSite } from '../active-step.ts';
import type { Recording } from '../recording.ts';
import { currentWork, enterWork, runWork, WorkContext } from './work-context.ts';

/**
 * Each step's code runs in its own async context, because after an `await` a library can call the SDK with no host code on the stack. That
 * costs two context changes per call (about 0.2 µs), so counted calls, such as those of a loop, skip the changes until they are needed:
 * when a library whose work becomes steps is loaded, or when such a step first arrives with an empty stack.
 */
export const propagation = { on: false };

/**
 * True if counted calls of functions of this kind change the async context too. Calls of async functions cost more than the change anyway.
 */
export function carriesCounted(kind: InstrumentedSite['kind']): boolean {
  return propagation.on || kind === 'async' || kind === 'async-generator';
}

/** Called when the step's code starts or continues. Work started from now on belongs to the step. */
export function beginPropagation(step: ActiveStep): void {
  if (step.recording === null) return;
  step.carried ??= new WorkContext(step.recording, step);
  const before = currentWork();
  // After the stack was unwound, the context is already set.
  if (before !== step.carried) step.carriedBefore = before;
  enterWork(step.carried);
}

/** Called when the step's code ends or pauses. Work started from now on belongs to the step's caller. */
export function endCarrying(step: ActiveStep): void {
  if (step.carried === null) return;
  enterWork(step.carriedBefore);
  step.carriedBefore = undefined;
}

/** Runs `fn` so that all work started in `fn` belongs to `step`. */
export function carryingFrom<T>(step: ActiveStep, fn: () => T): T {
  return step.recording === null ? fn() : runWork(new WorkContext(step.recording, step), fn);
}

/** Assigns the following work to `step`, or to the request itself if `step` is null, until `enterWork` is called with the returned value. */
export function carryOn(recording: Recording, step: ActiveStep | null): WorkContext | undefined {
  const before = currentWork();
  enterWork(step === null ? recording.context : new WorkContext(recording, step));
  return before;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isPromise } = types;
const IntactPromise = Promise;
const { resolve: resolved } = Promise;
const { apply } = Reflect;

/**
 * Prepares an awaited thenable, such as a Prisma query, which starts its work in `then`. `await` itself would call `then` after the step
 * was left; this function makes the work start in the current step. The result, and the number of microtasks until it is available, are
 * those of `await`.
 */
export function subscribeThenable(awaited: unknown, isYielded: boolean): unknown {
  if (typeof awaited !== 'object' || awaited === null) return awaited;
  // A promise of a subclass, such as a postgres.js query, can have its own `then`. A compiler's `await` helper calls that `then`
  // immediately.
  if (isPromise(awaited) && (isYielded || getPrototypeOf(awaited) === IntactPromise.prototype))
    return awaited;
  // `await` reads a promise's constructor and wraps the promise if the constructor is not `Promise`.
  if (getOwnPropertyDescriptor(IntactPromise.prototype, 'constructor')?.value !== IntactPromise)
    return awaited;
  return apply(resolved, IntactPromise, [awaited]);
}
