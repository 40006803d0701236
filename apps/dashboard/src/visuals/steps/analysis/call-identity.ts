import type { StepNode } from './step-forest.ts';

/**
 * Returns the same key for all calls of a function. Runs for every step of a trace, so it avoids JSON, which takes several times as long.
 * The path's length separates the path from the name.
 */
export function identifyCall({ step: { stepName, stepType, filePath, lineNumber } }: StepNode): string {
  return `${stepType} ${lineNumber} ${filePath?.length} ${filePath}${stepName}`;
}
