import { isUtf8 } from 'node:buffer';
import type { CapturedValue } from '@throughline/contract/values';
import {
  type Attributes,
  doubleValue,
  integerValue,
  objectValue,
  refuseTooDeep,
  type Sender,
  type Sent,
  type SentSpan,
  setAttribute,
  UnreadableSpan,
} from './sent-span.ts';
import { MalformedMessage } from './wire-reader.ts';

/**
 * The spans of an ExportTraceServiceRequest in OTLP's JSON, one by one: proto3's JSON with ids in hexadecimal digits. Unknown fields are
 * passed by; numbers of 64 bits may be strings or numbers, enums numbers or names. What is wrong within a span is that span's alone.
 * @throws MalformedMessage where it cannot be told which spans there are
 */
export function* decodeJson(body: Buffer): Generator<Sent> {
  for (const resourceSpans of listOf(parse(body), 'resourceSpans')) {
    const resource = readable(() => attributesOf(member(resourceSpans, 'resource')));
    for (const scopeSpans of listOf(resourceSpans, 'scopeSpans')) {
      const scope = readable(() => readScope(member(scopeSpans, 'scope')));
      for (const span of listOf(scopeSpans, 'spans')) {
        const read = readable(() => readSpan(span));
        if (resource instanceof UnreadableSpan) yield resource;
        else if (scope instanceof UnreadableSpan) yield scope;
        else yield read instanceof UnreadableSpan ? read : [read, { resource, scope }];
      }
    }
  }
}

/** What is read, or why it cannot be. */
function readable<T>(read: () => T): T | UnreadableSpan {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof UnreadableSpan) return cause;
    if (cause instanceof MalformedMessage) return new UnreadableSpan(cause.message, { cause });
    throw cause;
  }
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new MalformedMessage('the body is not UTF-8');
  const text = body.toString('utf8');
  try {
    const parsed: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text, keepDigits(text));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (cause) {
    throw new MalformedMessage(`the body is not JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
  throw new MalformedMessage('the body is not an object');
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Integers that a double cannot hold, as their digits: OTLP says them as strings, and some senders as numbers. A reviver is slow. */
function keepDigits(text: string): Reviver | undefined {
  if (!/[:,[\s]-?\d{16,}\s*[,}\]]/.test(text)) return undefined;
  return (_key, value, context) =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') && !Number.isSafeInteger(value)
      ? context?.source
      : value;
}

function readScope(scope: unknown): Sender['scope'] {
  return {
    name: textOf(scope, 'name'),
    version: textOf(scope, 'version'),
    attributes: attributesOf(scope),
  };
}

function readSpan(span: unknown): SentSpan {
  const status = member(span, 'status');
  return {
    traceId: textOf(span, 'traceId').toLowerCase(),
    spanId: textOf(span, 'spanId').toLowerCase(),
    parentSpanId: textOf(span, 'parentSpanId').toLowerCase(),
    traceState: textOf(span, 'traceState'),
    name: textOf(span, 'name'),
    kind: enumOf(member(span, 'kind'), KINDS, 'kind'),
    startNanos: nanosOf(span, 'startTimeUnixNano'),
    endNanos: nanosOf(span, 'endTimeUnixNano'),
    attributes: attributesOf(span),
    events: listOf(span, 'events').map((event) => ({
      name: textOf(event, 'name'),
      timeNanos: nanosOf(event, 'timeUnixNano'),
      attributes: attributesOf(event),
    })),
    links: listOf(span, 'links').map((link) => ({
      traceId: textOf(link, 'traceId').toLowerCase(),
      spanId: textOf(link, 'spanId').toLowerCase(),
      attributes: attributesOf(link),
    })),
    status: {
      code: enumOf(member(status, 'code'), STATUS_CODES, 'status.code'),
      message: textOf(status, 'message'),
    },
    dropped: {
      attributes: countOf(span, 'droppedAttributesCount'),
      events: countOf(span, 'droppedEventsCount'),
      links: countOf(span, 'droppedLinksCount'),
    },
  };
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'];

function member(parent: unknown, name: string): unknown {
  if (parent === undefined || parent === null) return undefined;
  if (typeof parent !== 'object' || Array.isArray(parent))
    throw new MalformedMessage(`${name} is looked for in what is not an object`);
  return Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
}

function listOf(parent: unknown, name: string): readonly unknown[] {
  const list = member(parent, name);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new MalformedMessage(`${name} is not an array`);
  return list;
}

function textOf(parent: unknown, name: string): string {
  const text = member(parent, name);
  if (text === undefined || text === null) return '';
  if (typeof text !== 'string') throw new MalformedMessage(`${name} is not a string`);
  return text;
}

function enumOf(value: unknown, names: readonly string[], what: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const number = typeof value === 'string' ? names.findIndex((name) => value.endsWith(`_${name}`)) : -1;
  if (number < 0) throw new MalformedMessage(`${what} is none of OTLP's`);
  return number;
}

function nanosOf(parent: unknown, name: string): bigint {
  const value = member(parent, name);
  if (value === undefined || value === null) return 0n;
  return integerOf(value, name);
}

function countOf(parent: unknown, name: string): number {
  const value = member(parent, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function integerOf(value: unknown, name: string): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw new MalformedMessage(`${name} is not a whole number`);
}

function int64Of(value: unknown): bigint {
  const integer = integerOf(value, 'intValue');
  if (BigInt.asIntN(64, integer) !== integer) throw new MalformedMessage('intValue has more than 64 bits');
  return integer;
}

function attributesOf(parent: unknown): Attributes {
  return readKeyValues(listOf(parent, 'attributes'), 0);
}

function readKeyValues(list: readonly unknown[], depth: number): Attributes {
  const attributes: Attributes = {};
  for (const pair of list)
    setAttribute(attributes, textOf(pair, 'key'), readAny(member(pair, 'value'), depth));
  return attributes;
}

function readAny(any: unknown, depth: number): CapturedValue {
  refuseTooDeep(depth);
  if (any === undefined || any === null) return null;
  // In protobuf's JSON null says that a field is not set.
  const has = (name: string) => (member(any, name) ?? undefined) !== undefined;
  if (has('stringValue')) return textOf(any, 'stringValue');
  if (has('boolValue')) return member(any, 'boolValue') === true;
  if (has('intValue')) return integerValue(int64Of(member(any, 'intValue')));
  if (has('doubleValue')) return doubleValue(Number(member(any, 'doubleValue')));
  if (has('arrayValue')) {
    return listOf(member(any, 'arrayValue'), 'values').map((value) => readAny(value, depth + 1));
  }
  if (has('kvlistValue')) {
    return objectValue(readKeyValues(listOf(member(any, 'kvlistValue'), 'values'), depth + 1));
  }
  if (has('bytesValue')) {
    const base64 = textOf(any, 'bytesValue');
    return { $type: 'Buffer', size: Buffer.byteLength(base64, 'base64'), base64 };
  }
  return null;
}
