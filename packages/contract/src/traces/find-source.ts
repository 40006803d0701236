import type { SourceFunction } from './sources.ts';
import type { Step } from './traces.ts';

/**
 * Finds the function of a step: the function that begins on the step's line (the longest, if several begin there), otherwise the innermost
 * function around that line.
 */
export function findSource(
  functions: readonly SourceFunction[],
  { lineNumber }: Pick<Step, 'lineNumber'>,
): SourceFunction | undefined {
  if (lineNumber === null) return undefined;
  const around = functions.filter((each) => each.line <= lineNumber && lineNumber <= findLastLine(each));
  const innermost = around.reduce((latest, { line }) => Math.max(latest, line), 0);
  return around
    .filter(({ line }) => line === innermost)
    .toSorted((a, b) => findLastLine(b) - findLastLine(a))[0];
}

/** Returns the number of a function's last line. */
export function findLastLine({ line, text }: SourceFunction): number {
  return line + text.split('\n').length - 1;
}
