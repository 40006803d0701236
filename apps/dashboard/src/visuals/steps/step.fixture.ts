import { formatInstant, type Step } from '@throughline/contract';

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
