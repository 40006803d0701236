import type { CapturedValue, Step } from '@throughline/contract';
import { escapeControlCharacters, summariseInLine } from '@throughline/contract/captured';

/** Maximum number of arguments and locals that are shown next to a line; the step's details show all values. */
const MAX_VALUES = 6;

/** A value of a call, shown as text next to a line of source code. */
export interface LineValue {
  /** The variable's name, `returned`, or `threw`. */
  readonly name: string;
  readonly text: string;
}

/** Returns the values to show on a step's line: at most `MAX_VALUES` arguments and locals, then the result or the error. */
export function listLineValues(step: Step): LineValue[] {
  const { variables, error } = step;
  const named = new Map([
    ...listMembers(variables?.parameters ?? step.inputs),
    ...listMembers(variables?.localVariables),
  ]);
  const values = [...named].slice(0, MAX_VALUES).map(([name, value]) => formatLineValue(name, value));
  if (named.size > MAX_VALUES) values.push({ name: '…', text: `${named.size - MAX_VALUES} more` });
  if (error !== null) return [...values, { name: 'threw', text: escapeControlCharacters(error.message) }];
  const returned = variables?.returnValue ?? step.outputs;
  return returned === undefined ? values : [...values, formatLineValue('returned', returned)];
}

function listMembers(value: CapturedValue | undefined): [string, CapturedValue][] {
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  if ('$type' in value) return [];
  return Object.entries(value);
}

function formatLineValue(name: string, value: CapturedValue): LineValue {
  return { name: escapeControlCharacters(name), text: summariseInLine(value) };
}
