import { type CapturedValue, findLastLine, type SourceFunction, type Step } from '@throughline/contract';
import { escapeControlCharacters, summarise, summariseInLine } from '@throughline/contract/captured';
import { canFollow } from '../values/can-follow.ts';
import { CapturedNames, type FoundValue, lacksKey, type ValuePosition } from './captured-names.ts';
import { VariableChanges } from './find-changes.ts';
import type { Call } from './flow/call.ts';
import { readCode } from './flow/code-tokens.ts';
import { findRunLines, type RunLines } from './flow/run-lines.ts';
import { type SourceToken, splitLines } from './source-tokens.ts';
import { type TimedValue, ValuesAtLines, type ValueTime } from './values-at-lines.ts';

/** A value shown at the end of a line. */
export interface LineValue {
  /** The label of the value: an expression in the code, or the word `returned` or `threw`. */
  readonly label: string;
  readonly text: string;
  /**
   * The moment at which the expression had the value: at the entry or at the end of the call. Set only if the expression can have another
   * value at another moment.
   */
  readonly when?: ValueTime;
  /** The position of the value in the step; absent for a value that cannot be followed through the request. */
  readonly at?: ValuePosition;
}

export interface SourceLine {
  readonly number: number;
  readonly tokens: readonly SourceToken[];
  readonly values: readonly LineValue[];
  /** True if the step threw on this line, or called the function that threw. */
  readonly isThrown: boolean;
  /** True if the call surely ran the line, false if it surely did not reach the line, undefined if neither is known. */
  readonly isRun: boolean | undefined;
}

interface AnnotatedCall extends Call {
  /** All functions of the file. The values on the lines of nested functions belong to other calls, and are not shown. */
  readonly others: readonly SourceFunction[];
}

/** Maximum number of values at the end of a line. The step's list of values shows the rest. */
const MAX_VALUES = 5;

/** Returns a function's lines with the values of one call: each line ends with the values that it binds or reads. */
export function annotateSource({ others, ...call }: AnnotatedCall): SourceLine[] {
  const { source, file, step, thrown } = call;
  const runLines = findRunLines(call);
  const lines = dedent(splitLines(source.text, file));
  const inner = findInnerLines(source, others);
  const names = new CapturedNames(step);
  const changes = new VariableChanges(readCode(source.text, file, source.line), inner, runLines);
  const valuesAt = new ValuesAtLines(step, names, changes);
  const hasOneReturn = countReturns(lines, source.line, inner, runLines) <= 1;
  const lastLine = source.line + lines.length - 1;
  return lines.map((tokens, at) => {
    const number = source.line + at;
    const isThrown = number === thrown;
    const isRun = runLines.get(number);
    const hasValues = !inner.has(number) && isRun !== false;
    const found = hasValues ? listValues(tokens, names, valuesAt, number, at === 0 ? step : undefined) : [];
    const values = found.slice(0, MAX_VALUES).map(writeValue);
    if (found.length > MAX_VALUES) values.push({ label: '…', text: `${found.length - MAX_VALUES} more` });
    if (isThrown && step.error !== null) values.push(writeThrown(step.error));
    const returns = tokens.some(({ kind, text }) => kind === 'keyword' && text === 'return');
    const isReturn = (returns && isRun !== false) || (number === lastLine && isExpression(lines));
    if (hasOneReturn && isReturn && !inner.has(number) && step.error === null)
      values.push(...listReturned(step).map(writeValue));
    return { number, tokens, values, isThrown, isRun };
  });
}

function writeThrown({ name, message }: NonNullable<Step['error']>): LineValue {
  const [first = ''] = message.split('\n', 1);
  return { label: 'threw', text: escapeControlCharacters(name === undefined ? first : `${name}: ${first}`) };
}

type ShownValue = TimedValue & { readonly note?: string };

function writeValue({ label, value, note = '', when, at }: ShownValue): LineValue {
  const text = summariseInLine(value) + note;
  return {
    label: escapeControlCharacters(label),
    text,
    ...(when !== undefined && { when }),
    ...(at !== undefined && canFollow(value) && { at }),
  };
}

function listReturned({ variables, outputs }: Step): readonly ShownValue[] {
  const value = variables?.returnValue;
  if (value !== undefined) return [{ label: 'returned', value, at: { place: 'returnValue', path: [] } }];
  return outputs === undefined
    ? []
    : [{ label: 'returned', value: outputs, at: { place: 'outputs', path: [] } }];
}

/**
 * Lists the values that a line binds or reads, in order. `step` is set only for the function's first line: the list then begins with all
 * parameters of the step.
 */
function listValues(
  line: readonly SourceToken[],
  names: CapturedNames,
  valuesAt: ValuesAtLines,
  number: number,
  step: Step | undefined,
): ShownValue[] {
  const found = new Map<string, ShownValue>();
  for (const name of Object.keys(step?.variables?.parameters ?? {})) {
    const value = valuesAt.find(name.replace(/@\d+$/, ''), [], number, true);
    if (value !== undefined) found.set(value.label, value);
  }
  const code = line.filter(({ kind, text }) => kind !== 'comment' && text.trim() !== '');
  for (const [at, token] of code.entries()) {
    if (!names.has(token.text) || !isRead(code, at)) continue;
    const value = valuesAt.find(token.text, listProperties(code, at), number, step !== undefined);
    if (value === undefined || found.has(value.label)) continue;
    found.set(value.label, { ...value, ...noteMissingKey(code, at, value, names, number) });
  }
  return [...found.values()];
}

/** True if the token is a variable or `this`, and not a property or an object key. */
function isRead(code: readonly SourceToken[], at: number): boolean {
  const before = code[at - 1]?.text;
  const token = code[at];
  if (token === undefined || (token.kind !== 'name' && token.text !== 'this')) return false;
  if (before === '.' || before === '?.') return false;
  const isKey = code[at + 1]?.text === ':' && (before === '{' || before === ',');
  return !isKey;
}

/** Lists the properties read from a name: `order.lines.length` has two. A called method is not included. */
function listProperties(code: readonly SourceToken[], at: number): string[] {
  const properties: string[] = [];
  for (let next = at + 1; code[next]?.text === '.' || code[next]?.text === '?.'; next += 2) {
    const name = code[next + 1];
    if (name === undefined || (name.kind !== 'name' && name.kind !== 'keyword')) break;
    const after = code[next + 2]?.text;
    if (after === '(' || after === '?.(') break;
    properties.push(name.text);
  }
  return properties;
}

/** Returns a note for `rates.get(country)` or `rates.has(country)` if the captured Map lacks the key. */
function noteMissingKey(
  code: readonly SourceToken[],
  at: number,
  { label, value }: FoundValue,
  names: CapturedNames,
  line: number,
): { readonly note?: string } {
  // Each property in the label is two tokens: the dot and the name.
  const end = at + 2 * label.split('.').length - 1;
  const [point, method, open, argument = '', close] = code.slice(end, end + 5).map(({ text }) => text);
  if (point !== '.' || (method !== 'get' && method !== 'has') || open !== '(' || close !== ')') return {};
  const key = names.find(argument, [], line)?.value;
  if (key === undefined || !lacksKey(value, key)) return {};
  return { note: ` without key ${describe(key)}` };
}

function describe(value: CapturedValue): string {
  return summarise(value).text;
}

/**
 * Finds the lines of nested functions, except for the first and the last line of each nested function, which are also lines of the outer
 * function.
 */
function findInnerLines(source: SourceFunction, others: readonly SourceFunction[]): Set<number> {
  const { line } = source;
  const last = findLastLine(source);
  const inner = new Set<number>();
  for (const other of others) {
    const otherLast = findLastLine(other);
    if (other.line < line || otherLast > last || (other.line === line && otherLast === last)) continue;
    for (let number = other.line + 1; number < otherLast; number++) inner.add(number);
  }
  return inner;
}

/** Counts the function's own return statements, except the ones that the call did not reach. */
function countReturns(
  lines: readonly SourceToken[][],
  first: number,
  inner: ReadonlySet<number>,
  runLines: RunLines,
): number {
  return lines
    .filter((_, at) => !inner.has(first + at) && runLines.get(first + at) !== false)
    .flat()
    .filter(({ kind, text }) => kind === 'keyword' && text === 'return').length;
}

/** True for an arrow function without braces, whose last line is its return value. */
function isExpression(lines: readonly SourceToken[][]): boolean {
  const code = lines.flat().filter(({ kind, text }) => kind !== 'comment' && text.trim() !== '');
  const arrow = code.findIndex(({ text }) => text === '=>');
  return arrow >= 0 && code[arrow + 1]?.text !== '{';
}

/** Removes the indentation that all lines share. */
function dedent(lines: readonly SourceToken[][]): SourceToken[][] {
  const filled = lines.filter((line) => line.some(({ text }) => text.trim() !== ''));
  const widths = filled.map(([first]) => /^\s*/.exec(first?.text ?? '')?.[0].length ?? 0);
  const shared = widths.reduce((least, width) => Math.min(least, width), Number.POSITIVE_INFINITY);
  return lines.map((line) =>
    line.map((token, at) => (at === 0 ? { ...token, text: token.text.slice(shared) } : token)),
  );
}
