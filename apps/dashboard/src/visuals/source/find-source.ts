import type { SourceFunction, Step } from '@throughline/contract';

/** The function that a step is a call of: the one that begins on its line, else the innermost around it. Where several begin there, the longest. */
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

/** The number of a function's last line. */
export function findLastLine({ line, text }: SourceFunction): number {
  return line + text.split('\n').length - 1;
}
