import type { CapturedValue, TaggedValue } from '@throughline/contract';
import { escapeControlCharacters } from './escape-control-characters.ts';
import { type Properties, shapeOf } from './value-shape.ts';

/** How a piece of a value is drawn: the theme gives each a colour. */
export type ValueTone = 'string' | 'number' | 'keyword' | 'special' | 'error' | 'muted' | 'plain';

/** One line that says what a value is. */
export interface ValueSummary {
  readonly text: string;
  readonly tone: ValueTone;
  /** A class name, drawn dim before the text. */
  readonly className?: string;
  /** What was cut, drawn grey after the text: "1,204 characters". */
  readonly note?: string;
}

/** As much of a string as one line shows; the rest is behind opening it. UTF-16 units. */
export const LINE_LENGTH = 160;
const PREVIEW_LENGTH = 72;
const PREVIEW_STRING_LENGTH = 24;

/** Says in one line what a captured value is. Never throws, whatever was sent. */
export function summarise(value: CapturedValue): ValueSummary {
  const shape = shapeOf(value);
  if (shape.kind === 'form') return summariseForm(shape.form);
  if (shape.kind !== 'simple') return { text: preview(value), tone: 'plain' };
  if (typeof shape.value === 'string') return summariseString(shape.value, shape.value.length);
  return { text: String(shape.value), tone: typeof shape.value === 'number' ? 'number' : 'keyword' };
}

function summariseString(text: string, length: number): ValueSummary {
  const shown = text.slice(0, LINE_LENGTH);
  const whole = shown.length === length;
  return {
    text: quote(shown, !whole),
    tone: 'string',
    ...(whole ? {} : { note: `${count(length)} characters` }),
  };
}

function summariseForm(value: TaggedValue): ValueSummary {
  switch (value.$type) {
    case 'undefined':
      return { text: 'undefined', tone: 'muted' };
    case 'number':
      return { text: value.value, tone: 'number' };
    case 'bigint':
      return { text: `${value.value}n`, tone: 'number' };
    case 'symbol':
      return { text: `Symbol(${escapeControlCharacters(value.description)})`, tone: 'special' };
    case 'function':
      return {
        text: `${value.isClass === true ? 'class' : 'ƒ'} ${escapeControlCharacters(value.name) || '(anonymous)'}`,
        tone: 'special',
      };
    case 'Date':
      return { text: value.value ?? 'Invalid Date', tone: 'special', className: 'Date' };
    case 'RegExp':
      return { text: escapeControlCharacters(`/${value.source}/${value.flags}`), tone: 'special' };
    case 'Map':
    case 'Set':
      return { text: `${value.$type}(${count(value.size)})`, tone: 'plain' };
    case 'Buffer':
      return { text: formatBytes(value.size), tone: 'special', className: 'Buffer' };
    case 'TypedArray':
      return { text: `${escapeControlCharacters(value.class)}(${count(value.length)})`, tone: 'plain' };
    case 'object':
      return {
        text: preview(value),
        tone: 'plain',
        ...(value.class === undefined ? {} : { className: value.class }),
      };
    case 'Error':
      return { text: escapeControlCharacters(value.message), tone: 'error', className: value.class };
    case 'reference':
      return {
        text: `‹same as ${escapeControlCharacters(pathText(value.path)) || 'the whole value'}›`,
        tone: 'special',
      };
    case 'string':
      return summariseString(value.value, Math.max(value.length, value.value.length));
    case 'array':
      return { text: preview(value), tone: 'plain' };
    case 'hole':
      return { text: 'empty', tone: 'muted' };
    case 'accessor':
      return { text: '‹getter, not read›', tone: 'muted' };
    case 'proxy':
      return { text: '‹proxy, not read›', tone: 'muted' };
    case 'cut':
      return {
        text: `‹${escapeControlCharacters(value.of)}${value.size === undefined ? '' : `(${count(value.size)})`} not captured: ${CUT_REASONS[value.reason] ?? value.reason}›`,
        tone: 'muted',
      };
    case 'redacted':
      return { text: `‹redacted ${escapeControlCharacters(value.of)}›`, tone: 'muted' };
  }
}

const CUT_REASONS: Readonly<Record<string, string>> = {
  depth: 'too deep',
  bytes: 'too large',
  items: 'too many',
};

/** A path as code would write it: `order.items[0]["shipping-address"]`. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** Bytes in words: below 1,000 exact, else rounded in kB or MB (10^3). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a closed object or array begins with, on one line. */
function preview(value: CapturedValue): string {
  const line = new PreviewLine();
  addPreview(line, value);
  return line.text;
}

/** Collects text until the line is full. */
class PreviewLine {
  text = '';

  get full(): boolean {
    return this.text.length >= PREVIEW_LENGTH;
  }
}

function addPreview(line: PreviewLine, value: CapturedValue): void {
  const shape = shapeOf(value);
  if (shape.kind === 'list') addItems(line, shape.items, shape.items.length);
  else if (shape.kind === 'object') addProperties(line, shape.properties, undefined);
  else if (shape.kind === 'form' && shape.form.$type === 'array')
    addItems(line, shape.form.values, shape.form.length);
  else if (shape.kind === 'form' && shape.form.$type === 'object')
    addProperties(line, shape.form.properties, shape.form.size);
  else line.text += shortText(value);
}

function addItems(line: PreviewLine, items: readonly CapturedValue[], length: number): void {
  line.text += `[${length > 1 ? `${count(length)}: ` : ''}`;
  for (const [index, item] of items.entries()) {
    if (index > 0) line.text += ', ';
    if (line.full) {
      line.text += '…]';
      return;
    }
    line.text += shortText(item);
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
    line.text += shortText(properties[key] ?? null);
  }
  const cut = size !== undefined && size > keys.length;
  if (keys.length === 0) line.text += cut ? `… ${count(size)} }` : '}';
  else line.text += cut ? ', … }' : ' }';
}

/** Inside a preview, objects are only named. */
function shortText(value: CapturedValue): string {
  const shape = shapeOf(value);
  switch (shape.kind) {
    case 'simple':
      return typeof shape.value === 'string' ? shortString(shape.value) : String(shape.value);
    case 'list':
      return shape.items.length === 0 ? '[]' : nameList(shape.items.length);
    case 'object':
      return Object.keys(shape.properties).length === 0 ? '{}' : '{…}';
    case 'form':
      return shortForm(shape.form);
  }
}

/** `[3]` would be a list that holds 3. */
function nameList(length: number): string {
  return `Array(${count(length)})`;
}

function shortString(text: string): string {
  const shown = text.slice(0, PREVIEW_STRING_LENGTH);
  return quote(shown, shown.length < text.length);
}

function shortForm(form: TaggedValue): string {
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

/** In quotes with control characters written out, so that a value can neither hide nor break the line. */
function quote(text: string, cut: boolean): string {
  const quoted = escapeControlCharacters(JSON.stringify(text));
  return cut ? `${quoted.slice(0, -1)}…"` : quoted;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
