import type { Step } from '@throughline/contract';
import { isSameFile, isSameFunction, listFrames } from './stack-frames.ts';

/**
 * The line of a failed step's own code where the error came up: where it threw, or where it called what threw. Undefined where its stack has no
 * frame of the step's function, or none of its file.
 */
export function thrownLine(step: Step): number | undefined {
  if (step.error?.stack === undefined || step.filePath === null) return undefined;
  let inFile: number | undefined;
  for (const frame of listFrames(step.error.stack)) {
    if (!isSameFile(frame, step)) continue;
    if (isSameFunction(frame, step)) return frame.line;
    if (frame.line >= (step.lineNumber ?? 0)) inFile ??= frame.line;
  }
  return inFile;
}

/** The line of a step's code to look at: where it failed, else where its function begins. */
export function findLine(step: Step): number | null {
  return thrownLine(step) ?? step.lineNumber;
}
