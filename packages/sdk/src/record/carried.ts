import { types } from 'node:util';
import type { InstrumentedSite, OpenStep } from './open-step.ts';
import type { Recording } from './recording.ts';
import { currentWork, enterWork, runWork, WorkContext } from './work-context.ts';

/**
 * Each step's code runs in an async context that says so: between two of its own awaits a library calls us with nothing of the host's on the stack. That takes
 * two context changes a call (about 0.2 µs), so calls that are counted together, as those of a loop, do without, until something needs it: a library whose work
 * becomes steps, or a first such step that came with an empty stack.
 */
export const carrying = { on: false };

/** Whether counted calls of such functions do it too. Those of async functions cost more than that in any case. */
export function carriesCounted(kind: InstrumentedSite['kind']): boolean {
  return carrying.on || kind === 'async' || kind === 'async-generator';
}

/** The step's code begins, or goes on: what it starts from here is its own. */
export function beginCarrying(step: OpenStep): void {
  if (step.recording === null) return;
  step.carried ??= new WorkContext(step.recording, step);
  const before = currentWork();
  // Coming back from a stack that was cut down, it is there already.
  if (before !== step.carried) step.carriedBefore = before;
  enterWork(step.carried);
}

/** The step's code ends, or is left for a while: what follows is its caller's. */
export function endCarrying(step: OpenStep): void {
  if (step.carried === null) return;
  enterWork(step.carriedBefore);
  step.carriedBefore = undefined;
}

/** Runs `fn`, and all that it starts, as work of `step`. */
export function carryingFrom<T>(step: OpenStep, fn: () => T): T {
  return step.recording === null ? fn() : runWork(new WorkContext(step.recording, step), fn);
}

/** From here on, until `enterWork` is called with what this returns, what runs is work of `step`, or of the request itself. */
export function carryOn(recording: Recording, step: OpenStep | null): WorkContext | undefined {
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
 * What is awaited, where that is an object with a `then` of its own (a query of Prisma's, which begins its work only then), so that it begins as work of the
 * step under way: `await` itself would call it after the step was left. It is what `await` makes of it, and takes as many turns.
 */
export function begunHere(awaited: unknown, isYielded: boolean): unknown {
  if (typeof awaited !== 'object' || awaited === null) return awaited;
  // A promise of a subclass, such as a query of postgres.js, has a `then` of its own too. A compiler's helper calls that at once.
  if (isPromise(awaited) && (isYielded || getPrototypeOf(awaited) === IntactPromise.prototype))
    return awaited;
  // `await` asks a promise for its constructor, and would wrap one whose answer is another.
  if (getOwnPropertyDescriptor(IntactPromise.prototype, 'constructor')?.value !== IntactPromise)
    return awaited;
  return apply(resolved, IntactPromise, [awaited]);
}
