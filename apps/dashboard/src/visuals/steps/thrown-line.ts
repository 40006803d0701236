import type { Step } from '@throughline/contract';
import { isSameFile, isSameFunction, listFrames } from './stack-frames.ts';

/**
 * Returns the line of a failed step's own code that threw, or that called the code that threw. Undefined if the stack has no frame of
 * the step's function or file.
 */
export function findThrownLine(step: Step): number | undefined {
  if (step.error?.stack === undefined || step.filePath === null) return undefined;
  let inFile: number | undefined;
  for (const frame of listFrames(step.error.stack)) {
    if (!isSameFile(frame, step)) continue;
    if (isSameFunction(frame, step)) return frame.line;
    if (frame.line >= (step.lineNumber ?? 0)) inFile ??= frame.line;
  }
  return inFile;
}

/** Returns the line of a step's code to show: the line that failed, otherwise the function's first line. */
export function findLine(step: Step): number | null {
  return findThrownLine(step) ?? step.lineNumber;
}
