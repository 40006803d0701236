import { isBelow } from './below.ts';
import type { OpenStep } from './open-step.ts';
import { describeError } from './snapshot-error.ts';

/** Where each error was first seen, so that the steps it passes through later are known as such. */
export class ThrownErrors {
  private readonly seen = new Map<unknown, OpenStep>();

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
      step.error = describeError(error);
      this.seen.set(error, step);
      return;
    }
    // On a full stack it could not be described where it was thrown.
    if (origin.error?.name === undefined) origin.error = describeError(error);
    step.error = origin.error;
    step.rethrown = true;
  }

  clear(): void {
    this.seen.clear();
  }
}
