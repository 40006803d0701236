import type { CapturedValue } from '@throughline/contract/values';
import type { ActiveStep } from './active-step.ts';
import { hasOutlived } from './below.ts';
import type { FunctionSite, Repeat, StepError, StepType, StepVariables } from './types.ts';
import type { CapturedText, StepValue } from './writer/captured-text.ts';

/** A step before it is written and sent. Times are epoch microseconds; durations are milliseconds with the precision of a microsecond. */
export interface RecordedStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly sequence: number;
  readonly stepName: string;
  readonly stepType: StepType;
  readonly startMicros: number;
  readonly endMicros: number;
  /** The time from start to end, without the pauses of a generator. For counted calls, the sum of their durations. */
  readonly durationMs: number;
  readonly repeat?: Repeat | undefined;
  /** The called function. */
  readonly site?: FunctionSite | undefined;
  /** The name of the called function, if its source is unknown. */
  readonly functionName?: string | undefined;
  readonly inputs?: StepValue | undefined;
  readonly outputs?: StepValue | undefined;
  readonly variables?: CapturedText | StepVariables | undefined;
  readonly error?: StepError | undefined;
  readonly metadata?: Readonly<Record<string, CapturedValue>> | undefined;
}

/**
 * Converts an ended step. Returns undefined for an aggregate whose calls all became steps of their own. `anchorMicros` is the epoch time at
 * which the monotonic clock was zero, in µs.
 */
export function toRecordedStep(step: ActiveStep, anchorMicros: number): RecordedStep | undefined {
  if (step.aggregate?.isEmpty) return undefined;
  const parent = findParent(step);
  const paused = step.pausedMicros + (step.pausedAt >= 0 ? step.endMicros - step.pausedAt : 0);
  // The start and the end are rounded, not the duration, so that rounding never changes the order in which steps end.
  const startMicros = Math.round(anchorMicros + step.startMicros);
  const endMicros = Math.max(startMicros, Math.round(anchorMicros + step.endMicros));
  if (parent !== null && hasOutlived(step, parent)) step.detached = true;
  const metadata = buildMetadata(step);
  const repeat = step.aggregate?.repeat;
  return {
    stepId: `${step.sequence + 1}`,
    parentStepId: parent === null ? null : `${parent.sequence + 1}`,
    sequence: step.sequence,
    stepName: step.name,
    stepType: step.type,
    startMicros,
    endMicros,
    durationMs: repeat?.sumMs ?? Math.max(0, Math.round(endMicros - startMicros - paused)) / 1000,
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

/**
 * Finds the step's parent. If `parent` is an empty aggregate, it has no step, because all of its calls became steps. The parent is then the
 * failed call that called this step.
 */
function findParent({ parent, caller, startMicros }: ActiveStep): ActiveStep | null {
  const aggregate = parent?.aggregate;
  return aggregate?.isEmpty ? aggregate.findShownCall(caller, startMicros) : parent;
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

/** Removes references to the recording and to values. Closures of the host can reference the step for a long time. */
export function releaseStep(step: ActiveStep): void {
  step.recording = step.carried = null;
  step.carriedBefore = step.frame = step.frameBefore = undefined;
  step.all = false;
  step.calls = null;
  step.caller = step.passedOn = step.handed = step.awaited = step.span = null;
  step.inputs = step.outputs = step.variables = step.error = step.metadata = undefined;
}
