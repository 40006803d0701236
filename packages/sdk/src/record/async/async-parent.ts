import { types } from 'node:util';
import type { ActiveStep, InstrumentedSite } from '../active-step.ts';
import type { Recording } from '../recording.ts';
import { currentWork, enterWork, runWork, WorkContext } from './work-context.ts';

/**
 * Each step's code runs in an async context that says so: between two of its own awaits a library calls us with nothing of the host's on the stack. That takes
 * two context changes a call (about 0.2 µs), so calls that are counted together, as those of a loop, do without, until something needs it: a library whose work
 * becomes steps, or a first such step that came with an empty stack.
 */
export const propagation = { on: false };

/** True where counted calls of such functions change the context too. Calls of async functions cost more than that anyway. */
export function carriesCounted(kind: InstrumentedSite['kind']): boolean {
  return propagation.on || kind === 'async' || kind === 'async-generator';
}

/** Marks that the step's code begins or continues: work that starts from here belongs to the step. */
export function beginPropagation(step: ActiveStep): void {
  if (step.recording === null) return;
  step.carried ??= new WorkContext(step.recording, step);
  const before = currentWork();
  // After a stack that was unwound, the context is already set.
  if (before !== step.carried) step.carriedBefore = before;
  enterWork(step.carried);
}

/** Marks that the step's code ends or pauses: work that starts from here belongs to its caller. */
export function endCarrying(step: ActiveStep): void {
  if (step.carried === null) return;
  enterWork(step.carriedBefore);
  step.carriedBefore = undefined;
}

/** Runs `fn`, and everything that `fn` starts, as work of `step`. */
export function carryingFrom<T>(step: ActiveStep, fn: () => T): T {
  return step.recording === null ? fn() : runWork(new WorkContext(step.recording, step), fn);
}

/** Makes the following work belong to `step`, or to the request itself, until `enterWork` is called with the returned value. */
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
 * Prepares an awaited thenable (such as a Prisma query, which starts its work in `then`), so that the work starts in the current step:
 * `await` itself would call `then` after the step was left. The result is that of `await`, after as many microtasks.
 */
export function subscribeThenable(awaited: unknown, isYielded: boolean): unknown {
  if (typeof awaited !== 'object' || awaited === null) return awaited;
  // A promise of a subclass, such as a query of postgres.js, has its own `then` too. A compiler's helper calls that `then` immediately.
  if (isPromise(awaited) && (isYielded || getPrototypeOf(awaited) === IntactPromise.prototype))
    return awaited;
  // `await` reads the constructor of a promise and wraps the promise if the constructor is another one.
  if (getOwnPropertyDescriptor(IntactPromise.prototype, 'constructor')?.value !== IntactPromise)
    return awaited;
  return apply(resolved, IntactPromise, [awaited]);
}
