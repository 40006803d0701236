import type { JsonLines } from './json-lines.ts';

/** The drawn part of a longer line; its value can still be copied whole. Bytes. */
const DRAWN_BYTES = 2_000;
/** So much of what is folded away is told. Bytes. */
const PREVIEW_BYTES = 160;

const decoder = new TextDecoder();

/** A line without its indent, cut where it is too long to draw. */
export interface LineText {
  readonly text: string;
  /** How much of the line is left out. Bytes. */
  readonly cutBytes: number;
}

export function lineText(lines: JsonLines, line: number): LineText {
  const { from, to } = findPlace(lines, line);
  const end = to - from <= DRAWN_BYTES ? to : wholeCharacters(lines.bytes, from + DRAWN_BYTES);
  return { text: decoder.decode(lines.bytes.subarray(from, end)), cutBytes: to - end };
}

/** The beginning of what a folded line hides, on one line. */
export function foldedPreview(lines: JsonLines, line: number): string {
  const from = lines.starts[line + 1] ?? 0;
  const last = (lines.starts[lines.ends[line] ?? 0] ?? from) - 1;
  const end = last - from <= PREVIEW_BYTES ? last : wholeCharacters(lines.bytes, from + PREVIEW_BYTES);
  const text = decoder.decode(lines.bytes.subarray(from, end)).replace(/\n\s*/g, ' ').trim();
  return end < last ? `${text}…` : text;
}

/** A line's value, whole: of a text what it says, of anything else its JSON. */
export function valueText(lines: JsonLines, line: number): string {
  const closing = lines.ends[line] ?? 0;
  const { from } = findPlace(lines, line);
  const { to } = findPlace(lines, closing > 0 ? closing : line);
  const whole = decoder.decode(lines.bytes.subarray(from, to));
  const json = whole.slice(keyLength(whole)).replace(/,$/, '');
  if (!json.startsWith('"')) return json;
  const value: unknown = JSON.parse(json);
  return String(value);
}

/** The whole text. */
export function wholeText(lines: JsonLines): string {
  return decoder.decode(lines.bytes);
}

export interface LineParts {
  /** With its quotes; empty where there is none. */
  readonly key: string;
  readonly value: string;
  /** `,` or nothing. */
  readonly comma: string;
  readonly tone: 'string' | 'number' | 'keyword' | 'bracket';
}

/** A line's parts, to be coloured. */
export function lineParts(text: string): LineParts {
  const keyEnd = keyLength(text);
  const key = keyEnd === 0 ? '' : text.slice(0, keyEnd - 2);
  const rest = text.slice(keyEnd);
  // A comma at the end of a cut text belongs to the text.
  const comma = rest.endsWith(',') && (!rest.startsWith('"') || rest.endsWith('",')) ? ',' : '';
  const value = comma === '' ? rest : rest.slice(0, -1);
  return { key, value, comma, tone: findTone(value) };
}

function findTone(value: string): LineParts['tone'] {
  if (value.startsWith('"')) return 'string';
  if (/^[[\]{}]/.test(value)) return 'bracket';
  return /^[-\d]/.test(value) ? 'number' : 'keyword';
}

/** How long a line's key is with the `: ` behind it; 0 where it has none. */
function keyLength(text: string): number {
  if (!text.startsWith('"')) return 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return text.startsWith(': ', at + 1) ? at + 3 : 0;
  }
  return 0;
}

/** A line's bytes without its indent and line break. */
function findPlace(
  { bytes, starts }: JsonLines,
  line: number,
): { readonly from: number; readonly to: number } {
  let from = starts[line] ?? 0;
  const to = (starts[line + 1] ?? from + 1) - 1;
  while (from < to && bytes[from] === 0x20) from += 1;
  return { from, to };
}

/** The place itself, or the one before where it would cut a character of several bytes in two. */
function wholeCharacters(bytes: Uint8Array, at: number): number {
  let end = at;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
