import { isObject } from '../is-object.ts';
import { isBelow } from './below.ts';
import type { DeferredStacks } from './deferred-stacks.ts';
import type { OpenStep } from './open-step.ts';
import { describeError, isSaidStill, stackWithCauses } from './snapshot-error.ts';
import { mapGet, mapSet, weakGet, weakSet } from './snapshot-intrinsics.ts';
import type { StepError } from './types.ts';

/** Where each error was first seen, so that the steps it passes through later are known as such. Holds no error for longer than its stack is to be read. */
export class ThrownErrors {
  #objects = new WeakMap<object, OpenStep>();
  readonly #primitives = new Map<unknown, OpenStep>();
  readonly #deferred: DeferredStacks;

  constructor(deferred: DeferredStacks) {
    this.#deferred = deferred;
  }

  /** The step that `error` came from on its way up to `step`; undefined where it begins there. */
  originOf(error: unknown, step: OpenStep): OpenStep | undefined {
    const first = isObject(error) ? weakGet(this.#objects, error) : mapGet(this.#primitives, error);
    // The same primitive thrown twice is the same error only on its way up.
    const passing = first !== undefined && (typeof error === 'object' || isBelow(first, step));
    return passing ? first : undefined;
  }

  /** Says on `step` that `error` left it: as it was described at its origin, or as the first to see it. */
  note(step: OpenStep, error: unknown, origin: OpenStep | undefined): void {
    if (origin === undefined) {
      step.error = this.describe(error);
      if (isObject(error)) weakSet(this.#objects, error, step);
      else mapSet(this.#primitives, error, step);
      return;
    }
    // On a full stack it could not be described where it was thrown.
    if (origin.error?.name === undefined) origin.error = this.describe(error);
    // Some say more in its message on its way.
    step.error = isSaidStill(error, origin.error) ? origin.error : this.describe(error);
    step.rethrown = true;
  }

  /** What a step says of `error`, as it is now; its stack follows. */
  describe(error: unknown): StepError {
    const as: { stack?: string } & StepError = describeError(error);
    this.#deferred.defer(error, () => {
      const stack = stackWithCauses(error);
      if (stack !== undefined) as.stack = stack;
    });
    return as;
  }

  clear(): void {
    this.#objects = new WeakMap();
    this.#primitives.clear();
  }
}
