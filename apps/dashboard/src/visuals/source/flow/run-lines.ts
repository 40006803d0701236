import type { Call } from './call.ts';
import { type Code, readCode } from './code-tokens.ts';
import { findEvidence } from './find-evidence.ts';
import { findReached, type Reached } from './find-reached.ts';
import { findOwners, type Owner } from './owners.ts';
import { parseBody } from './parse-statements.ts';
import type { Statement } from './statement.ts';

/** True for a line that ran, false for a line that was not reached. */
export type RunLines = ReadonlyMap<number, boolean>;

const NONE: RunLines = new Map();

/**
 * Finds the lines of a function that one call certainly ran (true), and the lines that it certainly did not reach (false). A line ran if
 * the first statement on it began.
 */
export function findRunLines(call: Call): RunLines {
  const { source, file, step } = call;
  // A call aggregate has the captured values of one call, but the child steps of all calls.
  if (step.repeat !== undefined) return NONE;
  const code = readCode(source.text, file, source.line);
  const body = code === undefined ? undefined : parseBody(code);
  if (code === undefined || body === undefined) return NONE;
  const owners = findOwners(code, body);
  const reached = findReached(body, findEvidence(call, code, body, owners));
  const lines = new Map<number, boolean>();
  for (const [line, tokens] of owners) {
    if (tokens.includes(undefined)) continue;
    // In `} else if (…) {`, only the condition runs.
    const heads = tokens.filter((owner) => owner?.isHead === true);
    const parts = heads.length > 0 ? heads : tokens;
    if (parts.every((owner) => owner !== undefined && reached.missed.has(owner.statement)))
      lines.set(line, false);
    else if (isRun(parts[0], line, code, reached)) lines.set(line, true);
  }
  return lines;
}

function isRun(owner: Owner | undefined, line: number, code: Code, reached: Reached): boolean {
  if (owner === undefined || !owner.isHead || !reached.ran.has(owner.statement)) return false;
  const { statement } = owner;
  if (code.tokens[statement.from]?.line === line) return true;
  return statement.lists.length === 0 && reached.isEvaluated(statement) && isPlain(code, statement);
}

/** Operators and words that make a part of a statement optional, or begin a function. */
const OPTIONAL = /^(?:\?|\?\.|&&=?|\|\|=?|\?\?=?|=>|function|class)$/;

/** True if each part of the statement is evaluated whenever the statement runs. */
function isPlain({ tokens }: Code, { from, to }: Statement): boolean {
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    // A method of an object: `{ run() {…} }`
    const isMethod = text === ')' && tokens[at + 1]?.text === '{';
    if (isMethod || OPTIONAL.test(text)) return false;
  }
  return true;
}
