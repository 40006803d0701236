import { formatCount } from '../format/formats.ts';
import type { CapturedValue, TaggedValue } from '../values.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import { classifyValue, type Properties } from './value-shape.ts';
import { formatFormWords } from './value-words.ts';

/** How a piece of a summary is shown. The theme assigns a colour to each tone. */
export type ValueTone = 'string' | 'number' | 'keyword' | 'special' | 'error' | 'muted' | 'plain';

/** A one-line summary of a value. */
export interface ValueSummary {
  readonly text: string;
  readonly tone: ValueTone;
  /** Class name, shown in grey before the text. */
  readonly className?: string;
  /** Grey note after the text, if the text is only the beginning of a string: the string's complete length, such as "1,204 characters". */
  readonly note?: string;
}

/** Maximum length, in UTF-16 units, of a string on one line. Expanding the value shows the rest. */
export const LINE_LENGTH = 160;
const PREVIEW_LENGTH = 72;
const PREVIEW_STRING_LENGTH = 24;

/** Summarises a captured value on one line. Never throws, even for invalid values. */
export function summarise(value: CapturedValue): ValueSummary {
  const shape = classifyValue(value);
  if (shape.kind === 'form') return summariseForm(shape.form);
  if (shape.kind !== 'simple') return { text: formatPreview(value), tone: 'plain' };
  if (typeof shape.value === 'string') return summariseString(shape.value, shape.value.length);
  return { text: String(shape.value), tone: typeof shape.value === 'number' ? 'number' : 'keyword' };
}

/** Returns the class name and the text of {@link summarise} as a single string, without the note. */
export function summariseInLine(value: CapturedValue): string {
  const { className, text } = summarise(value);
  return className === undefined ? text : `${className} ${text}`;
}

function summariseString(text: string, length: number): ValueSummary {
  const shown = text.slice(0, LINE_LENGTH);
  const whole = shown.length === length;
  return {
    text: quote(shown, !whole),
    tone: 'string',
    ...(whole ? {} : { note: `${formatCount(length)} characters` }),
  };
}

function summariseForm(value: TaggedValue): ValueSummary {
  switch (value.$type) {
    case 'string':
      return summariseString(value.value, Math.max(value.length, value.value.length));
    case 'array':
      return { text: formatPreview(value), tone: 'plain' };
    case 'object':
      return {
        text: formatPreview(value),
        tone: 'plain',
        ...(value.class === undefined ? {} : { className: value.class }),
      };
    default: {
      const { text, className } = formatFormWords(value);
      return {
        text: escapeControlCharacters(text),
        tone: TONES[value.$type],
        ...(className === undefined ? {} : { className }),
      };
    }
  }
}

const TONES: { readonly [tag in Exclude<TaggedValue['$type'], 'string' | 'array' | 'object'>]: ValueTone } = {
  undefined: 'muted',
  number: 'number',
  bigint: 'number',
  symbol: 'special',
  function: 'special',
  Date: 'special',
  RegExp: 'special',
  Map: 'plain',
  Set: 'plain',
  Buffer: 'special',
  TypedArray: 'plain',
  Error: 'error',
  reference: 'special',
  hole: 'muted',
  accessor: 'muted',
  proxy: 'muted',
  cut: 'muted',
  redacted: 'muted',
};

/** Formats the beginning of a collapsed object or array on one line. */
function formatPreview(value: CapturedValue): string {
  const line = new PreviewLine();
  addPreview(line, value);
  return line.text;
}

/** Collects pieces of text until the preview line is full. */
class PreviewLine {
  text = '';

  get full(): boolean {
    return this.text.length >= PREVIEW_LENGTH;
  }
}

function addPreview(line: PreviewLine, value: CapturedValue): void {
  const shape = classifyValue(value);
  if (shape.kind === 'list') addItems(line, shape.items, shape.items.length);
  else if (shape.kind === 'object') addProperties(line, shape.properties, undefined);
  else if (shape.kind === 'form' && shape.form.$type === 'array')
    addItems(line, shape.form.values, shape.form.length);
  else if (shape.kind === 'form' && shape.form.$type === 'object')
    addProperties(line, shape.form.properties, shape.form.size);
  else line.text += formatShortText(value);
}

function addItems(line: PreviewLine, items: readonly CapturedValue[], length: number): void {
  line.text += `[${length > 1 ? `${formatCount(length)}: ` : ''}`;
  for (const [index, item] of items.entries()) {
    if (index > 0) line.text += ', ';
    if (line.full) {
      line.text += '…]';
      return;
    }
    line.text += formatShortText(item);
  }
  line.text += items.length < length ? `${items.length > 0 ? ', ' : ''}…]` : ']';
}

function addProperties(line: PreviewLine, properties: Properties, size: number | undefined): void {
  const keys = Object.keys(properties);
  line.text += '{';
  for (const [index, key] of keys.entries()) {
    line.text += index > 0 ? ', ' : ' ';
    if (line.full) {
      line.text += '… }';
      return;
    }
    line.text += `${escapeControlCharacters(key)}: `;
    line.text += formatShortText(properties[key] ?? null);
  }
  const cut = size !== undefined && size > keys.length;
  if (keys.length === 0) line.text += cut ? `… ${formatCount(size)} }` : '}';
  else line.text += cut ? ', … }' : ' }';
}

/** Formats a value inside a preview, without its parts. */
function formatShortText(value: CapturedValue): string {
  const shape = classifyValue(value);
  switch (shape.kind) {
    case 'simple':
      return typeof shape.value === 'string' ? shortenString(shape.value) : String(shape.value);
    case 'list':
      return shape.items.length === 0 ? '[]' : nameList(shape.items.length);
    case 'object':
      return Object.keys(shape.properties).length === 0 ? '{}' : '{…}';
    case 'form':
      return formatShortForm(shape.form);
  }
}

/** Names a list by its length. Does not use `[3]`, which would look like a list that contains 3. */
function nameList(length: number): string {
  return `Array(${formatCount(length)})`;
}

function shortenString(text: string): string {
  const shown = text.slice(0, PREVIEW_STRING_LENGTH);
  return quote(shown, shown.length < text.length);
}

function formatShortForm(form: TaggedValue): string {
  switch (form.$type) {
    case 'object':
      return form.class === undefined ? '{…}' : `${escapeControlCharacters(form.class)} {…}`;
    case 'array':
      return nameList(form.length);
    case 'string':
      return quote(form.value.slice(0, PREVIEW_STRING_LENGTH), true);
    case 'Error':
      return escapeControlCharacters(form.class);
    default:
      return summariseForm(form).text;
  }
}

/**
 * Quotes a string and escapes its control characters, so that a value can neither hide text nor break the
 * line.
 */
function quote(text: string, cut: boolean): string {
  const quoted = escapeControlCharacters(JSON.stringify(text));
  return cut ? `${quoted.slice(0, -1)}…"` : quoted;
}
