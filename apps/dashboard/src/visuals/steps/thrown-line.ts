import type { Step } from '@throughline/contract';

/** A frame of a stack as V8 writes it: `at async Till.pay [as buy] (src/till.ts:30:5)`, or without a function. */
const FRAME = /^\s+at (?:(?<name>.+?) \()?(?:file:\/\/)?(?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)?$/;
/** Frames of one failure that are looked at. */
const MAX_LINES = 200;

/**
 * The line of a failed step's own code where the error came up: where it threw, or where it called what threw. Undefined where its stack has no
 * frame of the step's function, or none of its file.
 */
export function thrownLine({ error, filePath, functionName, lineNumber }: Step): number | undefined {
  if (error?.stack === undefined || filePath === null) return undefined;
  let inFile: number | undefined;
  for (const text of error.stack.split('\n', MAX_LINES)) {
    const { name, file, line } = FRAME.exec(text)?.groups ?? {};
    if (file === undefined || !isSameFile(file, filePath)) continue;
    if (functionName !== null && name !== undefined && namesFunction(name, functionName)) return Number(line);
    if (Number(line) >= (lineNumber ?? 0)) inFile ??= Number(line);
  }
  return inFile;
}

/** The line of a step's code to look at: where it failed, else where its function begins. */
export function findLine(step: Step): number | null {
  return thrownLine(step) ?? step.lineNumber;
}

function isSameFile(file: string, filePath: string): boolean {
  const path = file.replaceAll('\\', '/');
  const wanted = filePath.replaceAll('\\', '/');
  return path === wanted || path.endsWith(`/${wanted}`);
}

function namesFunction(name: string, functionName: string): boolean {
  const own = (text: string) =>
    text
      .replace(/^(?:async|new) /, '')
      .replace(/ \[as .*\]$/, '')
      .split('.')
      .at(-1);
  return own(name) === own(functionName);
}
