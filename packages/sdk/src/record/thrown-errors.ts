import { isBelow } from './below.ts';
import type { OpenStep } from './open-step.ts';
import { describeError, isSaidStill, stackWithCauses } from './snapshot-error.ts';
import type { StepError } from './types.ts';

/** An error whose stack was not read yet: see `ShownStacks`. */
interface Told {
  readonly error: unknown;
  readonly as: { stack?: string };
  readonly before: Told | null;
}

/** Where each error was first seen, so that the steps it passes through later are known as such. */
export class ThrownErrors {
  private readonly seen = new Map<unknown, OpenStep>();
  private told: Told | null = null;

  /** The step that `error` came from on its way up to `step`; undefined where it begins there. */
  originOf(error: unknown, step: OpenStep): OpenStep | undefined {
    const first = this.seen.get(error);
    // The same primitive thrown twice is the same error only on its way up.
    const passing = first !== undefined && (typeof error === 'object' || isBelow(first, step));
    return passing ? first : undefined;
  }

  /** Says on `step` that `error` left it: as it was described at its origin, or as the first to see it. */
  note(step: OpenStep, error: unknown, origin: OpenStep | undefined): void {
    if (origin === undefined) {
      step.error = this.describe(error);
      this.seen.set(error, step);
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
    const as = describeError(error);
    this.told = { error, as, before: this.told };
    return as;
  }

  /** Adds to what was said of each error its stack, with those of its causes. */
  readStacks(): void {
    for (let { told } = this; told !== null; told = told.before) {
      const stack = stackWithCauses(told.error);
      if (stack !== undefined) told.as.stack = stack;
    }
    this.told = null;
  }

  clear(): void {
    this.seen.clear();
    this.told = null;
  }
}
