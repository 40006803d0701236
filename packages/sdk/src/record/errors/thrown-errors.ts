import { isObject } from '../../internal/is-object.ts';
import type { ActiveStep } from '../active-step.ts';
import { isBelow } from '../below.ts';
import { describeError, isSaidStill, stackWithCauses } from '../snapshot/error.ts';
import type { StepError } from '../types.ts';
import { mapGet, mapSet, weakGet, weakSet } from '../writer/primordials.ts';
import type { DeferredStacks } from './deferred-stacks.ts';

/** Remembers where each error was first seen, so that steps that it passes later can refer to it. Holds an error only until its stack is read. */
export class ThrownErrors {
  #objects = new WeakMap<object, ActiveStep>();
  readonly #primitives = new Map<unknown, ActiveStep>();
  readonly #deferred: DeferredStacks;

  constructor(deferred: DeferredStacks) {
    this.#deferred = deferred;
  }

  /** Finds the step from which `error` came up to `step`; undefined where `error` began in `step`. */
  originOf(error: unknown, step: ActiveStep): ActiveStep | undefined {
    const first = isObject(error) ? weakGet(this.#objects, error) : mapGet(this.#primitives, error);
    // The same primitive thrown twice is the same error only on its way up.
    const passing = first !== undefined && (typeof error === 'object' || isBelow(first, step));
    return passing ? first : undefined;
  }

  /** Records on `step` that `error` left it, as described at its origin, or as its first step sees it. */
  note(step: ActiveStep, error: unknown, origin: ActiveStep | undefined): void {
    if (origin === undefined) {
      step.error = this.describe(error);
      if (isObject(error)) weakSet(this.#objects, error, step);
      else mapSet(this.#primitives, error, step);
      return;
    }
    // On a full stack the error could not be described at its origin.
    if (origin.error?.name === undefined) origin.error = this.describe(error);
    // Some hosts extend the message on the way up.
    step.error = isSaidStill(error, origin.error) ? origin.error : this.describe(error);
    step.rethrown = true;
  }

  /** Describes `error` in its present state. The stack follows later. */
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
