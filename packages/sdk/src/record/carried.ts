import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import type { OpenStep } from './open-step.ts';

/**
 * Which step started the asynchronous work that runs now, where the stack does not tell: between two of its own awaits a library calls us with
 * nothing of the host's on the stack. Costs two context changes a call (about 0.2 µs), so it is off until something needs it: a library whose
 * work becomes steps, or a first such step that came with an empty stack.
 */
export const carrying = { on: false };

/** What the async context carries: it opens to no one who looks at the context's contents, such as a snapshot of a timer. */
export class Carried {
  readonly #step: OpenStep;

  constructor(step: OpenStep) {
    this.#step = step;
  }

  get step(): OpenStep {
    return this.#step;
  }
}

const storage = new AsyncLocalStorage<Carried | undefined>();

/** The step that started what runs now. */
export function carriedStep(): OpenStep | undefined {
  return storage.getStore()?.step;
}

/** The step's code begins, or goes on: what it starts from here is its own. */
export function beginCarrying(step: OpenStep): void {
  if (!carrying.on) return;
  step.carried ??= new Carried(step);
  const before = storage.getStore();
  // Coming back from a stack that was cut down, it is there already.
  if (before !== step.carried) step.carriedBefore = before;
  storage.enterWith(step.carried);
}

/** The step's code ends, or is left for a while: what follows is its caller's. */
export function endCarrying(step: OpenStep): void {
  if (step.carried === null) return;
  storage.enterWith(step.carriedBefore);
  step.carriedBefore = undefined;
}

/** Runs `fn`, and all that it starts, as work of `step`. */
export function carryingFrom<T>(step: OpenStep, fn: () => T): T {
  return storage.run(new Carried(step), fn);
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
