import { isObjectOrFunction } from '../../internal/is-object.ts';
import type { ActiveStep } from '../active-step.ts';
import { isBelow } from '../below.ts';
import { describeError, findCause, formatStackWithCauses, hasSameMessage } from '../snapshot/error.ts';
import type { Shorten } from '../snapshot/text.ts';
import type { StepError } from '../types.ts';
import { mapGet, mapSet, weakGet, weakSet } from '../writer/primordials.ts';
import type { DeferredStacks } from './deferred-stacks.ts';

/**
 * Stores the step in which each error was first seen, so that other steps that the error passes through later can refer to that step.
 * Retains the error itself only until its stack is read.
 */
export class ThrownErrors {
  // Created at the first error, because most requests have none, and a WeakMap slows the host's garbage collection.
  #objects: WeakMap<object, ActiveStep> | undefined;
  #primitives: Map<unknown, ActiveStep> | undefined;
  readonly #deferred: DeferredStacks;
  readonly #shorten: Shorten;

  constructor(deferred: DeferredStacks, shorten: Shorten) {
    this.#deferred = deferred;
    this.#shorten = shorten;
  }

  /** Finds the step in which `error` began before it reached `step`. Returns undefined if `error` began in `step`. */
  originOf(error: unknown, step: ActiveStep): ActiveStep | undefined {
    const first = this.#find(error);
    // A primitive that is thrown again counts as the same error only while it propagates upwards from the step in which it began.
    const passing = first !== undefined && (typeof error === 'object' || isBelow(first, step));
    return passing ? first : undefined;
  }

  /**
   * Records that `error` left `step`. If `origin` is given, refers to the description of the error on the step `origin`; otherwise
   * describes the error on `step`.
   */
  note(step: ActiveStep, error: unknown, origin: ActiveStep | undefined): void {
    if (origin === undefined) {
      step.error = this.describe(error);
      this.#store(error, step);
      return;
    }
    // If the origin's error has no name, the error may not have been described there, because the call stack was full.
    if (origin.error?.name === undefined) origin.error = this.describe(error);
    // The error is described again if its message has changed, because some hosts extend the message while the error propagates.
    step.error = hasSameMessage(error, origin.error, this.#shorten) ? origin.error : this.describe(error);
    step.rethrown = true;
  }

  /** Describes `error` in its present state. Its stack is added later. */
  describe(error: unknown): StepError {
    const as: { stack?: string } & StepError = describeError(error, this.#shorten);
    const cause = findCause(error);
    this.#deferred.defer(error, () => {
      const stack = formatStackWithCauses(error, this.#shorten, cause);
      if (stack !== undefined) as.stack = stack;
    });
    return as;
  }

  clear(): void {
    this.#objects = this.#primitives = undefined;
  }

  #find(error: unknown): ActiveStep | undefined {
    if (isObjectOrFunction(error))
      return this.#objects === undefined ? undefined : weakGet(this.#objects, error);
    return this.#primitives === undefined ? undefined : mapGet(this.#primitives, error);
  }

  #store(error: unknown, step: ActiveStep): void {
    if (isObjectOrFunction(error)) {
      this.#objects ??= new WeakMap();
      weakSet(this.#objects, error, step);
    } else {
      this.#primitives ??= new Map();
      mapSet(this.#primitives, error, step);
    }
  }
}
