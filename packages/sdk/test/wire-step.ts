import { formatInstant } from '../src/internal/instant.ts';
import type { RecordedStep } from '../src/record/recorded-step.ts';
import type { WireStep } from '../src/send/encode/wire.ts';
import { toPlain, toPlainVariables } from '../src/send/encode/write-step.ts';

/** Converts a step to the object that its JSON describes, without redaction. */
export function toWireStep(step: RecordedStep): WireStep {
  const { startMicros, endMicros, durationMs, site, functionName, inputs, outputs, variables, ...rest } =
    step;
  return {
    ...rest,
    functionName: site?.name ?? functionName,
    filePath: site?.file,
    lineNumber: site?.line,
    startTime: formatInstant(startMicros),
    endTime: formatInstant(endMicros),
    duration: durationMs,
    inputs: toPlain(inputs),
    outputs: toPlain(outputs),
    variables: toPlainVariables(variables),
  };
}
