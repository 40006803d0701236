import type { StepNode } from './step-forest.ts';

/**
 * The same text for calls of the same function. Made for every step of a trace: writing JSON takes several times as long. The path's length
 * tells where the name begins.
 */
export function identifyCall({ step: { stepName, stepType, filePath, lineNumber } }: StepNode): string {
  return `${stepType} ${lineNumber} ${filePath?.length} ${filePath}${stepName}`;
}
