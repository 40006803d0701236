import type { CapturedValue } from '../../values.ts';
import { isRedacted } from '../syntax/forms.ts';
import { REDACTED_TEXT } from './characters.ts';

const MAX_LENGTH = 65_536;
/** Maximum number of characters before the JSON in a log line. */
const MAX_BEFORE = 200;
const LEAF = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
const MIN_DIGITS = 3;

/**
 * Redacts a text that contains JSON. Hides the strings and numbers that `redact` hides in the parsed value, such as cells below the names of
 * columns, or parameters of a statement. Returns the same text if nothing is hidden. Calls `note` with each string that is hidden as a whole.
 */
export function redactJsonText(
  text: string,
  redact: (value: CapturedValue) => CapturedValue,
  note: ((secret: string) => void) | undefined,
): string {
  const start = findStart(text);
  if (start < 0) return text;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const value = parse(text.slice(start, end));
  if (value === undefined) return text;
  const shown = redact(value);
  if (shown === value) return text;
  const replaced = new Map<string, string>();
  compare(value, shown, replaced);
  const json = text.slice(start, end).replace(LEAF, (leaf) => {
    const found = replaced.get(leaf.startsWith('"') ? readText(leaf) : leaf);
    if (found === undefined) return leaf;
    if (found === REDACTED_TEXT && leaf.startsWith('"')) note?.(readText(leaf));
    return JSON.stringify(found);
  });
  return text.slice(0, start) + json + text.slice(end);
}

function findStart(text: string): number {
  if (text.length > MAX_LENGTH) return -1;
  return text.slice(0, MAX_BEFORE).search(/[[{]\s*["[{\d]/);
}

function parse(json: string): CapturedValue | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readText(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

/** Adds each string and number that redaction changed to `replaced`, with its replacement. */
function compare(value: CapturedValue, shown: CapturedValue, replaced: Map<string, string>): void {
  if (value === shown) return;
  if (typeof value === 'string') replaced.set(value, typeof shown === 'string' ? shown : REDACTED_TEXT);
  else if (typeof value === 'number') {
    if (String(value).length >= MIN_DIGITS) replaced.set(String(value), REDACTED_TEXT);
  } else if (typeof value === 'object' && value !== null) {
    const before = Object.values(value);
    const isHidden = typeof shown !== 'object' || shown === null || isRedacted(shown);
    const after: readonly CapturedValue[] = isHidden ? [] : Object.values(shown);
    for (let index = 0; index < before.length; index++)
      compare(before[index] ?? null, isHidden ? REDACTED_TEXT : (after[index] ?? null), replaced);
  }
}
