import type { CapturedValue, Step } from '@throughline/contract';
import { classifyValue, escapeControlCharacters, summarise } from '@throughline/contract/captured';

/** Maximum length of an object or list that is written with all its members. A longer one is summarised. */
const MAX_WHOLE = 120;

/** Formats a value on one line. Returns `nothing` if only the other request has a value in this position. */
export function writeSide(value: CapturedValue | undefined): string {
  if (value === undefined) return 'nothing';
  return writeWhole(value) ?? writeSummary(value);
}

/** Formats a plain object or list with all its members. Returns undefined for other values, and if the text would be too long. */
export function writeWhole(value: CapturedValue): string | undefined {
  const shape = classifyValue(value);
  if (shape.kind !== 'list' && shape.kind !== 'object') return undefined;
  const text = writeMembers(value, MAX_WHOLE);
  return text.length > MAX_WHOLE ? undefined : text;
}

/** Writes a value, and stops after about `max` characters. Each level of nesting takes a character, so `max` limits the depth, too. */
function writeMembers(value: CapturedValue, max: number): string {
  if (max < 0) return '';
  const shape = classifyValue(value);
  if (shape.kind !== 'list' && shape.kind !== 'object') return escapeMarks(summarise(value).text);
  let text = '';
  for (const [label, member] of listMembers(shape)) {
    const left = max - text.length;
    if (left < 0) break;
    text += `${text === '' ? '' : ', '}${label}${writeMembers(member, left - 1)}`;
  }
  if (shape.kind === 'list') return `[${text}]`;
  return text === '' ? '{}' : `{ ${text} }`;
}

/** Lists members one by one, because an object can have many more members than are written. */
function* listMembers(
  shape: Extract<ReturnType<typeof classifyValue>, { readonly kind: 'list' | 'object' }>,
): Generator<readonly [string, CapturedValue]> {
  if (shape.kind === 'list') {
    for (const item of shape.items) yield ['', item];
    return;
  }
  for (const key in shape.properties) {
    const member = Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined;
    if (member !== undefined) yield [`${escapeControlCharacters(key)}: `, member];
  }
}

function writeSummary(value: CapturedValue): string {
  const { text, className, note } = summarise(value);
  return `${className === undefined ? '' : `${className} `}${escapeMarks(text)}${note === undefined ? '' : ` (${note})`}`;
}

/** Escapes combining characters in a string that has an equal composed form, because both forms look the same. */
function escapeMarks(text: string): string {
  if (text.normalize('NFC') === text) return text;
  return text.replaceAll(
    /\p{M}/gu,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

export function nameStep({ functionName, stepName, stepType }: Step): string {
  return stepType === 'function' || functionName !== null ? (functionName ?? stepName) : stepName;
}

interface CallValue {
  /** The name of the call. */
  readonly call: string;
  /** True for the result or a member of the result; false for an input or a local variable. */
  readonly isResult: boolean;
  /** The name and path of the value; undefined for the whole result. */
  readonly place: string | undefined;
  /** The text of the value. */
  readonly value: string;
}

/** Describes a value of a call. `isNamed` is true if the sentence has already named the call. */
export function writeCallValue({ call, isResult, place, value }: CallValue, isNamed = false): string {
  if (!isResult) return `\`${place}\` is ${value}${isNamed ? '' : ` in \`${call}\``}`;
  if (place === undefined) return `\`${call}\` returned ${value}`;
  return `\`${place}\` in ${isNamed ? 'its result' : `the result of \`${call}\``} is ${value}`;
}
