import { formatInstant, type Step } from '@throughline/contract';
import { buildStepForest, type StepForest } from './analysis/step-forest.ts';

const BEGIN = 1_767_225_600_000_000n;

/** Returns the instant this many milliseconds after the tests' traces begin. */
export const at = (ms: number): string => formatInstant(BEGIN + BigInt(Math.round(ms * 1000)));

/** Returns the times of a step with this start and duration in milliseconds. */
export const ran = (startMs: number, duration: number): Pick<Step, 'startTime' | 'endTime' | 'duration'> => ({
  startTime: at(startMs),
  endTime: at(startMs + duration),
  duration,
});

/** Returns a function step at the beginning of the trace. Its name is its id without the number at the end. */
export function aStep(stepId: string, more: Partial<Step> = {}): Step {
  return {
    stepId,
    parentStepId: null,
    sequence: 0,
    stepName: stepId.replace(/\d+$/, ''),
    stepType: 'function',
    ...ran(0, 0),
    duration: 1,
    functionName: null,
    filePath: null,
    lineNumber: null,
    error: null,
    ...more,
  };
}

/** Builds the tree of a request's steps. By default the request failed. */
export function aForest(flow: readonly Step[], statusCode = 500): StepForest {
  return buildStepForest({
    flow,
    timing: { startTime: at(0) },
    response: { statusCode },
    error: { hasError: false },
  });
}

/** Builds the tree of the steps of a successful request: its errors were handled. */
export function aSuccessfulForest(flow: readonly Step[]): StepForest {
  return aForest(flow, 200);
}
