import { CUT_MARGIN, isCardNumber, mayHoldSecret, REDACTED_TEXT } from '@throughline/contract/redaction';
import { buildFragment, type Fragment } from '../writer/json-writer.ts';
import {
  bigintAsIntN,
  bigintToString,
  getOwnPropertyDescriptor,
  hasOwn,
  isNotANumber,
  isProxy,
  symbolDescription,
} from '../writer/primordials.ts';
import { readFunctionName } from './class-kind.ts';
import { formatRedactedMarker } from './hidden.ts';
import { label, type Shorten, shortenText, takeFirstUnits } from './text.ts';
import type { ValueWalk } from './walk.ts';

const cutString = buildFragment('{"$type":"string","value":');
const cutLength = buildFragment(',"length":');
const closing = buildFragment('},');
const numbers = {
  notANumber: buildFragment('{"$type":"number","value":"NaN"},'),
  minusZero: buildFragment('{"$type":"number","value":"-0"},'),
  infinity: buildFragment('{"$type":"number","value":"Infinity"},'),
  minusInfinity: buildFragment('{"$type":"number","value":"-Infinity"},'),
};
const bigint = buildFragment('{"$type":"bigint","value":');
const symbol = buildFragment('{"$type":"symbol","description":');
const named = buildFragment('{"$type":"function","name":');
const isClassToo = buildFragment(',"isClass":true},');

const undefinedForm = buildFragment('{"$type":"undefined"},');
const nullForm = buildFragment('null,');
const trueForm = buildFragment('true,');
const falseForm = buildFragment('false,');
export const proxyForm: Fragment = buildFragment('{"$type":"proxy"},');

/** Numbers below this value are not payment card numbers. */
const CARD = 2e12;

/** Captures any value except an object. */
export function capturePrimitive(walk: ValueWalk, value: unknown): void {
  const { writer } = walk.budget;
  switch (typeof value) {
    case 'string':
      captureString(walk, value);
      break;
    case 'number':
      captureNumber(walk, value);
      break;
    case 'boolean':
      writer.fragment(walk.hidesAll ? formatRedactedMarker('boolean') : value ? trueForm : falseForm);
      break;
    case 'undefined':
      writer.fragment(undefinedForm);
      break;
    case 'bigint':
      captureBigint(walk, value);
      break;
    case 'symbol':
      captureSymbol(walk, value);
      break;
    case 'function':
      if (isProxy(value)) writer.fragment(proxyForm);
      else captureFunction(walk, value);
      break;
    default:
      writer.fragment(nullForm);
  }
}

function captureString(walk: ValueWalk, value: string): void {
  const { budget, limits } = walk;
  const start = budget.writer.end;
  if (walk.hidesAll) budget.writer.fragment(formatRedactedMarker('string'));
  else if (value.length <= limits.stringLength) captureWhole(walk, value);
  else captureBeginning(walk, value);
  if (budget.left >= 0) return;
  budget.writer.end = start;
  budget.cut('string', 'bytes', value.length, value.length);
}

function captureWhole(walk: ValueWalk, value: string): void {
  const { texts, budget } = walk;
  const { writer } = budget;
  const start = writer.end;
  writer.string(value);
  writer.comma();
  if (texts === null) return;
  if (!mayHoldSecret(writer.signs, writer.digits, false, value.length)) {
    // `AUTH`, the Redis command that logs in, shows no sign of a secret, but its parameters are secrets. So texts of its length are noted.
    if (value.length === COMMAND_LENGTH) walk.noteText(value, false);
    return;
  }
  const clean = texts.clean(value, walk.noted);
  if (clean !== value) rewrite(walk, start, clean);
  walk.noteText(value, clean !== value);
}

const COMMAND_LENGTH = 4;

function captureBeginning(walk: ValueWalk, value: string): void {
  const { budget, limits, texts } = walk;
  const { writer } = budget;
  const { stringLength } = limits;
  const read = takeFirstUnits(value, stringLength + CUT_MARGIN);
  const plain = takeFirstUnits(read, stringLength);
  const shown =
    texts === null
      ? walk.shorten(read, stringLength)
      : texts.beginning(read, stringLength, plain, walk.noted);
  if (shown === REDACTED_TEXT && plain !== shown) writer.fragment(formatRedactedMarker('string'));
  else {
    writer.fragment(cutString);
    writer.string(shown);
    writer.fragment(cutLength);
    writer.number(value.length);
    writer.fragment(closing);
    walk.noteText(plain, shown !== plain);
  }
  if (budget.left >= 0) budget.noteCut(value.length - plain.length);
}

function rewrite({ budget: { writer } }: ValueWalk, start: number, clean: string): void {
  writer.end = start;
  if (clean === REDACTED_TEXT) {
    writer.fragment(formatRedactedMarker('string'));
    return;
  }
  writer.string(clean);
  writer.comma();
}

/**
 * Writes a string inside a tagged form, without its secrets. Returns false if the whole string was recognized as a secret. If `hidesAll` is
 * set, writes a placeholder and returns true.
 */
function writeText(walk: ValueWalk, text: string): boolean {
  const { texts, budget } = walk;
  const { writer } = budget;
  const start = writer.end;
  if (walk.hidesAll) {
    writer.string(REDACTED_TEXT);
    return true;
  }
  writer.string(text);
  if (texts === null || !mayHoldSecret(writer.signs, writer.digits, false, text.length)) return true;
  const clean = texts.clean(text, walk.noted);
  if (clean === text) return true;
  writer.end = start;
  writer.string(clean);
  return clean !== REDACTED_TEXT;
}

/**
 * Writes a string that belongs to another value (a message or pattern). Shortens a string longer than `length` and appends its full length.
 * If the string does not fit, writes nothing and returns false.
 */
export function writeExcerpt(walk: ValueWalk, text: string, length: number): boolean {
  const { budget } = walk;
  const start = budget.writer.end;
  writeText(walk, walk.hidesAll ? '' : shortenText(text, length, walk.shorten));
  if (!budget.hasRoom(0)) {
    budget.writer.end = start;
    return false;
  }
  if (text.length > length) budget.noteCut(text.length - length);
  return true;
}

export function captureNumber(walk: ValueWalk, value: number): void {
  const { writer } = walk.budget;
  const form = findNumberForm(walk, value);
  if (form !== undefined) {
    writer.fragment(form);
    return;
  }
  writer.number(value);
  writer.comma();
}

/** Returns the tagged form of a number that JSON cannot represent or that must be redacted. Returns undefined for other numbers. */
function findNumberForm(walk: ValueWalk, value: number): Fragment | undefined {
  if (walk.hidesAll) return formatRedactedMarker('number');
  if ((value | 0) === value) return value === 0 && 1 / value < 0 ? numbers.minusZero : undefined;
  if (isNotANumber(value)) return numbers.notANumber;
  if (value === Infinity) return numbers.infinity;
  if (value === -Infinity) return numbers.minusInfinity;
  return value >= CARD && walk.redactor !== null && isCardNumber(`${value}`)
    ? formatRedactedMarker('number')
    : undefined;
}

export function captureBigint(walk: ValueWalk, value: bigint): void {
  const { budget } = walk;
  const { writer } = budget;
  // Converting a bigint to decimal takes quadratic time, so huge bigints are cut without converting them.
  if (bigintAsIntN(1024, value) !== value) {
    budget.cut('bigint', 'bytes');
    return;
  }
  const start = writer.end;
  if (!walk.hidesAll) {
    const text = bigintToString(value);
    if (!budget.hasRoom(text.length)) {
      budget.cut('bigint', 'bytes', text.length);
      return;
    }
    writer.fragment(bigint);
    if (writeText(walk, text)) {
      writer.fragment(closing);
      return;
    }
    writer.end = start;
  }
  writer.fragment(formatRedactedMarker('bigint'));
}

function captureSymbol(walk: ValueWalk, value: symbol): void {
  const { writer } = walk.budget;
  writer.fragment(symbol);
  writeText(walk, readSymbolName(value, walk.shorten));
  writer.fragment(closing);
}

/** Returns the description of a symbol, shortened to the length of a label. */
export function readSymbolName(value: symbol, shorten: Shorten): string {
  const description = symbolDescription(value);
  return typeof description === 'string' ? label(description, shorten) : '';
}

function captureFunction(walk: ValueWalk, value: object): void {
  const { writer } = walk.budget;
  writer.fragment(named);
  writer.string(readFunctionName(value));
  // Only classes and built-in constructors have a `prototype` that cannot be replaced.
  const prototype = getOwnPropertyDescriptor(value, 'prototype');
  const isClass = prototype !== undefined && hasOwn(prototype, 'value') && prototype.writable === false;
  writer.fragment(isClass ? isClassToo : closing);
}
