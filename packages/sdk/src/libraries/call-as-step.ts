import { isPromise } from 'node:util/types';
import { runGuarded } from '../internal/report.ts';
import type { Recording } from '../record/recording.ts';
import type { StepEnd, StepStart } from '../record/step-bounds.ts';

/**
 * Runs a call of a library as a step and returns the call's result. If the result is a promise, the step ends when that promise settles,
 * and another promise with the same outcome is returned.
 */
export function callAsStep(recording: Recording, start: () => StepStart, call: () => unknown): unknown {
  const step = runGuarded('Starting a step', () => recording.open({ parent: recording.here, ...start() }));
  if (!step) return call();
  const end = (outcome?: StepEnd): void => {
    runGuarded('Ending a step', () => recording.close(step, outcome));
  };
  let result: unknown;
  try {
    result = recording.within(step, call);
  } catch (error) {
    end({ error });
    throw error;
  }
  if (!isPromise(result)) {
    end();
    return result;
  }
  return result.then(
    (value) => {
      end();
      return value;
    },
    (error: unknown) => {
      end({ error });
      throw error;
    },
  );
}
