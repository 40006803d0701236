import type { CapturedValue, TaggedValue } from '@throughline/contract/values';
import { MARKER_BYTES, type SnapshotBudget } from './snapshot-budget.ts';
import { functionName } from './snapshot-class.ts';
import {
  bigintAsIntN,
  bigintToString,
  getOwnPropertyDescriptor,
  hasOwn,
  isNotANumber,
  symbolDescription,
} from './snapshot-intrinsics.ts';
import { firstUnits, jsonBytes, label } from './snapshot-text.ts';

export function captureString(budget: SnapshotBudget, value: string, limit: number): CapturedValue {
  const whole = value.length <= limit;
  const shown = whole ? value : firstUnits(value, limit);
  const bytes = jsonBytes(shown) + (whole ? 3 : 60);
  if (bytes > budget.left) return budget.cut('string', 'bytes', value.length, value.length);
  budget.left -= bytes;
  if (whole) return shown;
  budget.noteCut(value.length - shown.length);
  return { $type: 'string', value: shown, length: value.length };
}

export function captureNumber(budget: SnapshotBudget, value: number): number | TaggedValue {
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
    budget.left -= 12;
    return value;
  }
  budget.left -= 45;
  if (isNotANumber(value)) return { $type: 'number', value: 'NaN' };
  if (value === 0) return { $type: 'number', value: '-0' };
  if (value === Infinity) return { $type: 'number', value: 'Infinity' };
  if (value === -Infinity) return { $type: 'number', value: '-Infinity' };
  return value;
}

export function captureBigint(budget: SnapshotBudget, value: bigint): TaggedValue {
  // Writing out a bigint takes the square of its length: a huge one is not even begun.
  if (bigintAsIntN(1024, value) !== value) return budget.cut('bigint', 'bytes');
  const text = bigintToString(value);
  if (!budget.hasRoom(text.length)) return budget.cut('bigint', 'bytes', text.length);
  budget.left -= text.length + 32;
  return { $type: 'bigint', value: text };
}

export function captureSymbol(budget: SnapshotBudget, value: symbol): CapturedValue {
  budget.left -= MARKER_BYTES;
  return { $type: 'symbol', description: symbolName(value) };
}

/** A symbol's description, short enough for a label. */
export function symbolName(symbol: symbol): string {
  const description = symbolDescription(symbol);
  return typeof description === 'string' ? label(description) : '';
}

export function captureFunction(budget: SnapshotBudget, value: object): CapturedValue {
  budget.left -= MARKER_BYTES;
  const name = functionName(value);
  // Only classes and built-in constructors have a `prototype` that cannot be replaced.
  const prototype = getOwnPropertyDescriptor(value, 'prototype');
  const isClass = prototype !== undefined && hasOwn(prototype, 'value') && prototype.writable === false;
  return isClass ? { $type: 'function', name, isClass } : { $type: 'function', name };
}
