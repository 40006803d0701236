import type { CapturedValue, TaggedValue } from '@throughline/contract';
import {
  classifyValue,
  escapeControlCharactersInLines,
  type Properties,
} from '@throughline/contract/captured';

/**
 * Formats a captured value for the clipboard: a string unchanged, any other value as indented JSON. Values that JSON cannot represent are
 * written in a readable form: a Date as its ISO string, a Map as its pairs, a truncated value as a note.
 */
export function formatPlainText(value: CapturedValue): string {
  const plain = toPlain(value);
  return typeof plain === 'string' ? plain : escapeControlCharactersInLines(JSON.stringify(plain, null, 2));
}

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

function toPlain(value: CapturedValue): Plain {
  const shape = classifyValue(value);
  switch (shape.kind) {
    case 'simple':
      return shape.value;
    case 'list':
      return shape.items.map(toPlain);
    case 'object':
      return convertProperties(shape.properties);
    case 'form':
      return convertForm(shape.form);
  }
}

function convertProperties(properties: Properties): Plain {
  return Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, toPlain(part)]));
}

function convertForm(value: TaggedValue): Plain {
  switch (value.$type) {
    case 'string':
      return cutText(value.value, value.length);
    case 'number':
    case 'bigint':
      return value.value;
    case 'Date':
      return value.value ?? 'Invalid Date';
    case 'RegExp':
      return `/${value.source}/${value.flags}`;
    case 'Map':
      return withRest(
        value.entries.map(([key, entry]) => [toPlain(key), toPlain(entry)]),
        value.size,
      );
    case 'Set':
      return withRest(value.values.map(toPlain), value.size);
    case 'array':
    case 'TypedArray':
      return withRest(value.values.map(toPlain), value.length);
    case 'Buffer':
      return value.base64;
    case 'object':
      return convertProperties(value.properties);
    case 'Error':
      return value.stack ?? `${value.class}: ${value.message}`;
    case 'function':
      return `function ${value.name}`;
    case 'symbol':
      return `Symbol(${value.description})`;
    case 'reference':
      return `‹same as ${value.path.join('.') || 'this value'}${value.step === undefined ? '' : ` of step ${value.step}`}›`;
    case 'cut':
      return `‹${value.of} not captured›`;
    case 'redacted':
      return `‹redacted ${value.of}›`;
    case 'hole':
      return '‹empty›';
    case 'undefined':
      return 'undefined';
    case 'accessor':
    case 'proxy':
      return `‹${value.$type}, not read›`;
  }
}

function cutText(text: string, length: number): string {
  return length > text.length
    ? `${text}… ${(length - text.length).toLocaleString('en-US')} more characters`
    : text;
}

function withRest(items: Plain[], size: number): Plain[] {
  return size > items.length ? [...items, `… ${(size - items.length).toLocaleString('en-US')} more`] : items;
}
