import {
  DECIDED_BY_VALUE,
  isCount,
  isCounted,
  isShownText,
  mayBeginName,
  mayBeNamedBy,
  mayLabel,
  mayNameItem,
  type NameVerdict,
  REDACTED_TEXT,
  WITHOUT_CONTENT,
} from '@throughline/contract/redaction';
import { buildFragment, type Fragment, type JsonWriter } from '../writer/json-writer.ts';
import {
  bufferToString,
  charCodeAt,
  getPrototypeOf,
  isArray,
  isProxy,
  mapGet,
  mapSet,
  objectPrototype,
  setHas,
} from '../writer/primordials.ts';
import { takeFirstUnits } from './text.ts';
import type { ValueWalk } from './walk.ts';

const markers = new Map<string, Fragment>();
const MOST = 500;
let known = 0;

/** Returns the marker `{"$type":"redacted","of":type}`. `typeJson` is the name of the type, escaped for JSON. */
export function formatRedactedMarker(typeJson: string): Fragment {
  const made = mapGet(markers, typeJson);
  if (made !== undefined) return made;
  const marker = buildFragment(`{"$type":"redacted","of":"${typeJson}"},`);
  if (known < MOST) {
    mapSet(markers, typeJson, marker);
    known++;
  }
  return marker;
}

const TAG = '{"$type":"';
const CLASS = ',"class":"';
const LITTLE = 200;

/**
 * Replaces the value that was written from `start` on by a marker of the value's type. Values that reveal nothing are not replaced: null,
 * booleans, and tagged forms such as undefined or a function. The value is captured completely first, so that references to its objects
 * stay valid.
 */
export function redactSince(writer: JsonWriter, start: number): void {
  const of = readWrittenType(writer, start);
  if (of === undefined) return;
  writer.end = start;
  writer.fragment(formatRedactedMarker(of));
}

/**
 * Returns the type of the value that was written from `start` on; undefined if the value reveals nothing. A class name keeps its JSON
 * escapes, so that it can be written into JSON again.
 */
function readWrittenType(writer: JsonWriter, start: number): string | undefined {
  switch (writer.bytes[start]) {
    case 0x22:
      return 'string';
    case 0x5b:
      return 'array';
    case 0x7b:
      return readWrittenForm(writer, start);
    case 0x6e: // The first bytes of `null`, `true` and `false`.
    case 0x74:
    case 0x66:
      return undefined;
    default:
      return 'number';
  }
}

function readWrittenForm(writer: JsonWriter, start: number): string | undefined {
  const text = bufferToString(writer.bytes, 'utf8', start, Math.min(start + LITTLE, writer.end));
  if (!text.startsWith(TAG)) return 'object';
  const type = readQuoted(text, TAG.length);
  if (setHas(WITHOUT_CONTENT, type)) return undefined;
  const after = TAG.length + type.length + 1;
  return text.startsWith(CLASS, after) ? readQuoted(text, after + CLASS.length) : type;
}

/** Returns the content of the JSON string that begins at `start`, up to its closing quote. */
function readQuoted(text: string, start: number): string {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return text.slice(start, end);
}

/** True if the string that was written last announces a secret to readers, such as `Your password:`. */
export function labelsSecret({ redactor, budget }: ValueWalk, text: string): boolean {
  if (redactor === null || !mayLabel(text.length)) return false;
  const { bytes, end, signs } = budget.writer;
  // The last two bytes in the buffer are the string's closing quote and a comma.
  return mayBeginName(signs, bytes, end - 2 - text.length, end - 2) && redactor.labelsSecret(text);
}

const DASH = 0x2d;

/**
 * True if the list item that was written last begins with a dash, as command-line options do, or can be the name of a secret in another
 * item of the list.
 */
export function namesItem({ redactor, budget }: ValueWalk, item: string): boolean {
  if (charCodeAt(item, 0) === DASH) return true;
  if (redactor === null || !mayNameItem(budget.writer.signs, item.length)) return false;
  return redactor.namesItem(item);
}

/** True if a text that is captured as a whole has a secret part. */
export function holdsSecret({ redactor, limits }: ValueWalk, text: string): boolean {
  if (redactor === null || text.length > limits.stringLength) return false;
  return redactor.text(text).includes(REDACTED_TEXT);
}

/**
 * True if a text is a statement with secret parameters. The parameters can be in a sibling of the text. Only the part of the text that is
 * captured is checked.
 */
function hasSecretParameters({ redactor, limits }: ValueWalk, text: string): boolean {
  const { stringLength } = limits;
  const shown = text.length <= stringLength ? text : takeFirstUnits(text, stringLength);
  return redactor?.hasSecretParameters(shown) === true;
}

/** A value under a name with one of these verdicts is hidden as a whole, even an object, but not a list. */
const HIDDEN_WHOLE: ReadonlySet<NameVerdict> = new Set<NameVerdict>(['own', 'secret', 'header']);

/**
 * Under a name with one of these verdicts, the members of plain objects and lists are checked in a second pass. Other objects are hidden as
 * a whole.
 */
const JUDGED_IF_PLAIN: ReadonlySet<NameVerdict> = new Set<NameVerdict>(['texts', 'holder', 'holders']);

function isPlain(value: object): boolean {
  if (isArray(value)) return true;
  const prototype: object | null = isProxy(value) ? value : getPrototypeOf(value);
  return prototype === null || prototype === objectPrototype;
}

/**
 * True if a value stays readable although its name is that of a secret: a count, or a text that cannot be the secret. If the name has other
 * meanings as well, a text or number that does not look like a secret stays readable, too. Numbers under the name of a session are hidden.
 */
export function isShownByValue(verdict: NameVerdict, value: unknown): boolean {
  if (isCounted(verdict) && isCount(value)) return true;
  if (typeof value === 'string' && isShownText(verdict, value)) return true;
  if (verdict !== 'session' && !setHas(DECIDED_BY_VALUE, verdict)) return false;
  if (typeof value === 'number') return verdict !== 'session' && !mayBeNamedBy(verdict, value);
  return typeof value === 'string' && !mayBeNamedBy(verdict, value);
}

/** True if a value is hidden by its name alone. All other values are checked in a second pass, together with their members or siblings. */
export function hidesWhole(walk: ValueWalk, verdict: NameVerdict, value: unknown): boolean {
  // The second pass hides a statement after reading from the statement which parameters are secrets.
  if (typeof value === 'string' && hasSecretParameters(walk, value)) return false;
  // A list can consist of a validator's messages, which the second pass shows: `{password: ['must be longer than 8 characters']}`. Or the
  // list is a statement, whose parameters can be in a sibling.
  if (isArray(value)) return false;
  if (HIDDEN_WHOLE.has(verdict)) return true;
  if (verdict === 'outcome') return typeof value !== 'number';
  if (typeof value !== 'object' || value === null) return verdict !== 'postal';
  return JUDGED_IF_PLAIN.has(verdict) && !isPlain(value);
}
