import type { CapturedValue } from '@throughline/contract/values';
import type { OpenStep } from './open-step.ts';
import type { RecordedStep } from './types.ts';

/** A closed step as plain data. `anchorMicros` is epoch time at the monotonic clock's zero. */
export function recordedStep(step: OpenStep, anchorMicros: number): RecordedStep {
  const paused = step.pausedAt >= 0 ? step.endMicros - step.pausedAt : 0;
  const micros = Math.max(0, Math.round(step.endMicros - step.startMicros - step.pausedMicros - paused));
  const startMicros = Math.round(anchorMicros + step.startMicros);
  const metadata = metadataOf(step);
  const repeat = step.fold?.repeat;
  return {
    stepId: `${step.sequence + 1}`,
    parentStepId: step.parent === null ? null : `${step.parent.sequence + 1}`,
    sequence: step.sequence,
    stepName: step.name,
    stepType: step.type,
    startMicros,
    endMicros: startMicros + micros,
    durationMs: repeat?.sumMs ?? micros / 1000,
    ...(repeat !== undefined && { repeat }),
    ...(step.site !== null && {
      functionName: step.site.name,
      filePath: step.site.file,
      lineNumber: step.site.line,
    }),
    ...(step.inputs !== undefined && { inputs: step.inputs }),
    ...(step.outputs !== undefined && { outputs: step.outputs }),
    ...(step.variables !== undefined && { variables: step.variables }),
    ...(step.error !== undefined && { error: step.error }),
    ...(metadata !== undefined && { metadata }),
  };
}

function metadataOf(step: OpenStep): Readonly<Record<string, CapturedValue>> | undefined {
  if (!step.rethrown && !step.unfinished) return step.metadata;
  return {
    ...step.metadata,
    ...(step.rethrown && { rethrown: true }),
    ...(step.unfinished && { unfinished: true }),
  };
}
