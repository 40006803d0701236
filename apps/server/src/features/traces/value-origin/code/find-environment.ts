import type { CodeToken } from '@throughline/contract/redaction';
import { isLiteral } from './find-literals.ts';

const CONVERTING = new Set(['Number', 'String', 'parseInt', 'parseFloat']);
/** Maximum number of tokens of a variable's type, and of the entries of a destructuring pattern. */
const MAX_TYPE = 16;
const MAX_PATTERN = 400;

/** An environment variable that source code reads. */
export interface FoundEnvironment {
  readonly name: string;
  /** The index of the token that names the variable to which the value is assigned. */
  readonly at: number;
}

/**
 * Finds the environment variables that are the whole value of the variable or property `variable`. The value can be converted to a number,
 * and can have a literal as its default. `variable` can also be part of a destructuring pattern to which the environment object is assigned.
 */
export function findEnvironment(tokens: readonly CodeToken[], variable: string): FoundEnvironment[] {
  const found: FoundEnvironment[] = [];
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'IdentifierName') continue;
    if (value === variable && tokens[index - 1]?.value !== '.') {
      const begin = findAssigned(tokens, index);
      const name = begin === undefined ? undefined : readEnvironment(tokens, begin);
      if (name !== undefined) found.push({ name, at: index });
    }
    if (value === 'process' && tokens[index - 1]?.value === '=' && tokens[index - 2]?.value === '}') {
      const taken = readPattern(tokens, index, variable);
      if (taken !== undefined) found.push(taken);
    }
  }
  return found;
}

/** Finds the first token of the value that is assigned to a variable or property. */
function findAssigned(tokens: readonly CodeToken[], index: number): number | undefined {
  const next = tokens[index + 1]?.value;
  if (next === '=') return index + 2;
  if (next !== ':') return undefined;
  for (let at = index + 2; at < index + MAX_TYPE; at += 1) {
    const value = tokens[at]?.value ?? ';';
    if (value === '=') return at + 1;
    if (value === 'process' || value === ',' || value === ';' || value === ')' || value === '}') break;
  }
  return index + 2;
}

/** Returns the name of the environment variable if it is the whole value that begins at `begin`. */
function readEnvironment(tokens: readonly CodeToken[], begin: number): string | undefined {
  const read = (at: number) => tokens[at]?.value;
  let at = begin;
  let isCalled = false;
  if (read(at) === '+') at += 1;
  else if (read(at) === 'Number' && read(at + 1) === '.') at += 2;
  if (CONVERTING.has(read(at) ?? '') && read(at + 1) === '(') {
    isCalled = true;
    at += 2;
  }
  if (!isProcessEnv(tokens, at)) return undefined;
  at += 3;
  const name = read(at) === '.' ? read(at + 1) : read(at + 2) === ']' ? readText(tokens[at + 1]) : undefined;
  at += read(at) === '.' ? 2 : 3;
  if (read(at) === '!') at += 1;
  if (isCalled) {
    if (read(at) === ',' && isLiteral(tokens[at + 1])) at += 2;
    if (read(at) !== ')') return undefined;
    at += 1;
  }
  if (read(at) === 'as') at += 2;
  if ((read(at) === '??' || read(at) === '||') && isLiteral(tokens[at + 1])) at += 2;
  return isEnd(tokens, at) ? name : undefined;
}

function isProcessEnv(tokens: readonly CodeToken[], at: number): boolean {
  return tokens[at]?.value === 'process' && tokens[at + 1]?.value === '.' && tokens[at + 2]?.value === 'env';
}

function readText(token: CodeToken | undefined): string | undefined {
  return token?.type === 'StringLiteral' ? token.value.slice(1, -1) : undefined;
}

/** True if an expression ends before a token: at the end of a statement or member, or of a line without a semicolon. */
function isEnd(tokens: readonly CodeToken[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token === undefined || token.value === ';' || token.value === ',' || token.value === '}') return true;
  return token.line > (before?.line ?? 0) && (token.type === 'IdentifierName' || token.value === '}');
}

/** Finds the variable in the destructuring pattern to which the environment object is assigned. `index` is the first token after the equals sign. */
function readPattern(
  tokens: readonly CodeToken[],
  index: number,
  variable: string,
): FoundEnvironment | undefined {
  if (!isProcessEnv(tokens, index) || !isEnd(tokens, index + 3)) return undefined;
  for (let at = index - 3; at > index - MAX_PATTERN && at >= 0; at -= 1) {
    const [before, { value = '{' } = {}, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (value === '{') return undefined;
    if (value !== variable || after === undefined || ![',', '}', '='].includes(after.value)) continue;
    if (before?.value === '{' || before?.value === ',') return { name: variable, at };
    const name = before?.value === ':' ? tokens[at - 2]?.value : undefined;
    if (name !== undefined) return { name, at };
  }
  return undefined;
}
