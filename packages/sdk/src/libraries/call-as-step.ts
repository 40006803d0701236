import { isPromise } from 'node:util/types';
import { guarded } from '../internal/report.ts';
import type { Recording } from '../record/recording.ts';
import type { StepEnd, StepStart } from '../record/step-bounds.ts';

/**
 * Runs a library's call as a step. The step ends with the call, or when the returned promise settles. Returns and throws
 * what the call does.
 */
export function callAsStep(recording: Recording, start: () => StepStart, call: () => unknown): unknown {
  const step = guarded('Opening a step', () => recording.open({ parent: recording.here, ...start() }));
  if (!step) return call();
  const end = (outcome?: StepEnd): void => {
    guarded('Ending a step', () => recording.close(step, outcome));
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
