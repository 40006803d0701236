import type { CapturedValue } from '@throughline/contract';
import { classifyValue, describeKind, listParts } from '@throughline/contract/captured';

/**
 * How strongly a differing value points to the cause of a failure.
 * `unusual`: no successful request had a value of this kind, or a string of this form, in this position.
 * `unlike`: a text with capital letters, if no text of several successful requests has any.
 * `outlier`: a number that is much larger or smaller, or has many more decimals, than the numbers of all successful requests, or the only
 * negative number.
 * `unseen`: several successful requests agree on another value.
 * `different`: like `unseen`, but with too few successful requests to judge.
 * `ordinary`: a successful request had this value, or the value also differs among successful requests. With too few successful requests,
 * also a value that looks unique (an id or a time).
 */
export type Judgement = 'unusual' | 'unlike' | 'outlier' | 'unseen' | 'different' | 'ordinary';

type Side = CapturedValue | undefined;

/** Minimum number of successful requests that agree on a value. Fewer could agree by chance. */
const MIN_AGREEING = 3;
/** A number larger or smaller than all others by this factor is probably not just another amount, but in another unit. */
const OUTLIER_RATIO = 10;
/**
 * A number with at least this many decimals more than in any successful request is probably a sum of floating-point numbers that was not
 * rounded.
 */
const MORE_DECIMALS = 3;

/**
 * Judges a value by the values of successful requests in the same position. `goods` must not be empty. Undefined stands for a missing
 * value.
 */
export function judgeDifference(value: Side, goods: readonly Side[]): Judgement {
  if (goods.some((good) => isEqual(value, good))) return 'ordinary';
  const kind = describeShape(value);
  if (!goods.some((good) => describeShape(good) === kind)) return 'unusual';
  if (typeof value === 'number' && isOutlier(value, goods)) return 'outlier';
  if (typeof value === 'string' && hasOddEdges(value) && !goods.some(isOddText)) return 'unusual';
  if (typeof value === 'string' && hasOtherCase(value, goods)) return 'unlike';
  if (!areAlike(goods)) return 'ordinary';
  if (goods.length >= MIN_AGREEING) return 'unseen';
  return looksUnique(value) ? 'ordinary' : 'different';
}

/**
 * Returns the kind of a value, with separate kinds for empty values: an empty list among lists with items is rarely an ordinary value.
 */
export function describeShape(value: Side): string {
  if (value === undefined) return 'nothing';
  if (value === '') return 'empty string';
  const kind = describeKind(value);
  const shape = classifyValue(value);
  const mayBeEmpty = shape.kind === 'list' || (shape.kind === 'form' && ['Map', 'Set'].includes(kind));
  return mayBeEmpty && listParts(value).children.length === 0 ? `empty ${kind}` : kind;
}

function isOutlier(value: number, goods: readonly Side[]): boolean {
  const numbers = goods.filter((good) => typeof good === 'number');
  if (numbers.length === 0) return false;
  if (value < 0 && numbers.every((good) => good >= 0)) return true;
  if (countDecimals(value) >= Math.max(...numbers.map(countDecimals)) + MORE_DECIMALS) return true;
  const sizes = numbers.map(Math.abs).filter((size) => size > 0);
  if (sizes.length === 0 || value === 0) return false;
  const size = Math.abs(value);
  return size >= Math.max(...sizes) * OUTLIER_RATIO || size <= Math.min(...sizes) / OUTLIER_RATIO;
}

function countDecimals(value: number): number {
  const [, decimals = ''] = String(value).split('.');
  return decimals.length;
}

function isOddText(value: Side): boolean {
  return typeof value === 'string' && hasOddEdges(value);
}

/** True for a string with leading or trailing white space, or not in Unicode normalization form C. */
function hasOddEdges(text: string): boolean {
  return text.trim() !== text || text.normalize('NFC') !== text;
}

/** True for a text with capital letters, if several distinct texts of successful requests have only small letters. */
function hasOtherCase(value: string, goods: readonly Side[]): boolean {
  const texts = new Set(goods.filter((good) => typeof good === 'string'));
  return texts.size >= MIN_AGREEING && /\p{Lu}/u.test(value) && [...texts].every(isSmall);
}

function isSmall(text: string): boolean {
  return /\p{Ll}/u.test(text) && !/\p{Lu}/u.test(text);
}

function areAlike(goods: readonly Side[]): boolean {
  return goods.every((good) => isEqual(good, goods[0]));
}

/** True for a value of a kind, form or size that no successful request had. */
export function isOdd(judgement: Judgement): boolean {
  return judgement === 'unusual' || judgement === 'outlier';
}

export function isEqual(a: Side, b: Side): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b));
}

/** True for values that probably differ in every request, such as ids, times and random strings. */
export function looksUnique(value: Side): boolean {
  if (typeof value === 'number') return value > 1_000_000_000;
  if (typeof value !== 'string') return describeKind(value ?? null) === 'Date';
  return /^[0-9a-f]{8}-|^\d{4}-\d\d-\d\d|^[\w-]*\d[\w-]{11,}$/i.test(value);
}
