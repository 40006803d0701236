import type { JsonLines } from './json-lines.ts';

/** Maximum number of bytes of a line that are drawn. The whole value of a longer line can still be copied. */
const DRAWN_BYTES = 2_000;
/** The size of the preview of a folded part. Bytes. */
const PREVIEW_BYTES = 160;

const decoder = new TextDecoder();

/** A line without its indentation, cut if the line is too long to draw. */
export interface LineText {
  readonly text: string;
  /** The number of bytes that were cut off. */
  readonly cutBytes: number;
}

export function readLineText(lines: JsonLines, line: number): LineText {
  const { from, to } = findPlace(lines, line);
  const end = to - from <= DRAWN_BYTES ? to : alignToCharacter(lines.bytes, from + DRAWN_BYTES);
  return { text: decoder.decode(lines.bytes.subarray(from, end)), cutBytes: to - end };
}

/** Returns the beginning of the part that a folded line hides, as one line. */
export function readFoldedPreview(lines: JsonLines, line: number): string {
  const from = lines.starts[line + 1] ?? 0;
  const last = (lines.starts[lines.ends[line] ?? 0] ?? from) - 1;
  const end = last - from <= PREVIEW_BYTES ? last : alignToCharacter(lines.bytes, from + PREVIEW_BYTES);
  const text = decoder.decode(lines.bytes.subarray(from, end)).replace(/\n\s*/g, ' ').trim();
  return end < last ? `${text}…` : text;
}

/** Returns a line's whole value: the content of a string, or the JSON of any other value. */
export function readValueText(lines: JsonLines, line: number): string {
  const closing = lines.ends[line] ?? 0;
  const { from } = findPlace(lines, line);
  const { to } = findPlace(lines, closing > 0 ? closing : line);
  const whole = decoder.decode(lines.bytes.subarray(from, to));
  const json = whole.slice(measureKey(whole)).replace(/,$/, '');
  if (!json.startsWith('"')) return json;
  const value: unknown = JSON.parse(json);
  return String(value);
}

/** Returns all lines as a string. */
export function readWholeText(lines: JsonLines): string {
  return decoder.decode(lines.bytes);
}

export interface LineParts {
  /** The key with its quotes; empty if the line has no key. */
  readonly key: string;
  readonly value: string;
  /** `,` or an empty string. */
  readonly comma: string;
  readonly tone: 'string' | 'number' | 'keyword' | 'bracket';
}

/** Splits a line into parts for syntax highlighting. */
export function splitLine(text: string): LineParts {
  const keyEnd = measureKey(text);
  const key = keyEnd === 0 ? '' : text.slice(0, keyEnd - 2);
  const rest = text.slice(keyEnd);
  // A comma at the end of a cut string belongs to the string.
  const comma = rest.endsWith(',') && (!rest.startsWith('"') || rest.endsWith('",')) ? ',' : '';
  const value = comma === '' ? rest : rest.slice(0, -1);
  return { key, value, comma, tone: findTone(value) };
}

function findTone(value: string): LineParts['tone'] {
  if (value.startsWith('"')) return 'string';
  if (/^[[\]{}]/.test(value)) return 'bracket';
  return /^[-\d]/.test(value) ? 'number' : 'keyword';
}

/** Returns the length of a line's key with the following `: `; 0 if the line has no key. */
function measureKey(text: string): number {
  if (!text.startsWith('"')) return 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return text.startsWith(': ', at + 1) ? at + 3 : 0;
  }
  return 0;
}

/** Finds a line's bytes without its indentation and line break. */
function findPlace(
  { bytes, starts }: JsonLines,
  line: number,
): { readonly from: number; readonly to: number } {
  let from = starts[line] ?? 0;
  const to = (starts[line + 1] ?? from + 1) - 1;
  while (from < to && bytes[from] === 0x20) from += 1;
  return { from, to };
}

/** Returns `at`, or the start of the multi-byte character that `at` would split. */
function alignToCharacter(bytes: Uint8Array, at: number): number {
  let end = at;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
