import type { CapturedValue } from '@throughline/contract/values';
import type { ActiveStep } from './active-step.ts';
import type { FunctionSite, Repeat, StepError, StepType, StepVariables } from './types.ts';
import type { CapturedText, StepValue } from './writer/captured-text.ts';

/** One step, before it is written and sent. Times are epoch microseconds; durations milliseconds with µs precision. */
export interface RecordedStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly sequence: number;
  readonly stepName: string;
  readonly stepType: StepType;
  readonly startMicros: number;
  readonly endMicros: number;
  /** Time of its own: without a generator's pauses; of calls that were counted together, all of theirs. */
  readonly durationMs: number;
  readonly repeat?: Repeat | undefined;
  /** The function that it is a call of. */
  readonly site?: FunctionSite | undefined;
  /** The function's name, where its source is not known. */
  readonly functionName?: string | undefined;
  readonly inputs?: StepValue | undefined;
  readonly outputs?: StepValue | undefined;
  readonly variables?: CapturedText | StepVariables | undefined;
  readonly error?: StepError | undefined;
  readonly metadata?: Readonly<Record<string, CapturedValue>> | undefined;
}

/** A closed step as plain data. `anchorMicros` is epoch time at the monotonic clock's zero. */
export function recordedStep(step: ActiveStep, anchorMicros: number): RecordedStep {
  const paused = step.pausedAt >= 0 ? step.endMicros - step.pausedAt : 0;
  // Both ends are rounded alike, so that no step ends after one that it ended before.
  const startMicros = Math.round(anchorMicros + step.startMicros);
  const endMicros = Math.round(anchorMicros + step.endMicros - step.pausedMicros - paused);
  const micros = Math.max(0, endMicros - startMicros);
  const metadata = buildMetadata(step);
  const repeat = step.aggregate?.repeat;
  return {
    stepId: `${step.sequence + 1}`,
    parentStepId: step.parent === null ? null : `${step.parent.sequence + 1}`,
    sequence: step.sequence,
    stepName: step.name,
    stepType: step.type,
    startMicros,
    endMicros: startMicros + micros,
    durationMs: repeat?.sumMs ?? micros / 1000,
    repeat,
    site: step.site ?? undefined,
    functionName: step.named && step.site === null ? step.name : undefined,
    inputs: step.inputs,
    outputs: step.outputs,
    variables: step.variables,
    error: step.error,
    metadata,
  };
}

function buildMetadata(step: ActiveStep): Readonly<Record<string, CapturedValue>> | undefined {
  if (!step.rethrown && !step.unfinished && !step.detached) return step.metadata;
  return {
    ...step.metadata,
    ...(step.rethrown && { rethrown: true }),
    ...(step.unfinished && { unfinished: true }),
    ...(step.detached && { detached: true }),
  };
}
