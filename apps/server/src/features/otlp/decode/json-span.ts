import { SPAN_LIMITS } from '@throughline/contract';
import type { CapturedValue } from '@throughline/contract/values';
import type { RequestCounts } from './request-counts.ts';
import {
  type Attributes,
  encodeDouble,
  encodeInteger,
  encodeObject,
  type Sender,
  type SentSpan,
  setAttribute,
} from './sent-span.ts';
import { MalformedMessage } from './wire-reader.ts';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'];

/**
 * Reads parsed JSON of spans, resources and scopes, and counts their contents. Attributes, events and links beyond their limits are omitted
 * and counted as dropped.
 */
export class JsonSpanReader {
  readonly #counts: RequestCounts;

  constructor(counts: RequestCounts) {
    this.#counts = counts;
  }

  /** @throws MalformedMessage, UnreadableSpan, AppError `payload_too_large`, as all methods of this class do */
  readSpan(span: unknown): SentSpan {
    const status = readMember(span, 'status');
    const attributes = cutList(span, 'attributes', SPAN_LIMITS.attributes.max);
    const events = cutList(span, 'events', SPAN_LIMITS.events.max);
    const links = cutList(span, 'links', SPAN_LIMITS.links.max);
    this.#counts.add('spanEvents', events.sent + links.sent);
    return {
      traceId: readText(span, 'traceId').toLowerCase(),
      spanId: readText(span, 'spanId').toLowerCase(),
      parentSpanId: readText(span, 'parentSpanId').toLowerCase(),
      traceState: readText(span, 'traceState'),
      name: readText(span, 'name'),
      kind: readEnum(readMember(span, 'kind'), KINDS, 'kind'),
      startNanos: readNanos(span, 'startTimeUnixNano'),
      endNanos: readNanos(span, 'endTimeUnixNano'),
      attributes: this.#readKeyValues(attributes.first, 0),
      events: events.first.map((event) => ({
        name: readText(event, 'name'),
        timeNanos: readNanos(event, 'timeUnixNano'),
        attributes: this.readAttributes(event),
      })),
      links: links.first.map((link) => ({
        traceId: readText(link, 'traceId').toLowerCase(),
        spanId: readText(link, 'spanId').toLowerCase(),
        attributes: this.readAttributes(link),
      })),
      status: {
        code: readEnum(readMember(status, 'code'), STATUS_CODES, 'status.code'),
        message: readText(status, 'message'),
      },
      dropped: {
        attributes: readCount(span, 'droppedAttributesCount') + attributes.sent - attributes.first.length,
        events: readCount(span, 'droppedEventsCount') + events.sent - events.first.length,
        links: readCount(span, 'droppedLinksCount') + links.sent - links.first.length,
      },
    };
  }

  readScope(scope: unknown): Sender['scope'] {
    return {
      name: readText(scope, 'name'),
      version: readText(scope, 'version'),
      attributes: this.readAttributes(scope),
    };
  }

  readAttributes(parent: unknown): Attributes {
    return this.#readKeyValues(readList(parent, 'attributes'), 0);
  }

  #readKeyValues(list: readonly unknown[], depth: number): Attributes {
    const attributes: Attributes = {};
    for (const pair of list) {
      this.#counts.addValue(depth);
      const name = readText(pair, 'key');
      this.#counts.addName(name);
      setAttribute(attributes, name, this.#readAny(readMember(pair, 'value'), depth));
    }
    return attributes;
  }

  #readAny(any: unknown, depth: number): CapturedValue {
    if (any === undefined || any === null) return null;
    // In protobuf's JSON, null means that a field is not set.
    const has = (name: string) => (readMember(any, name) ?? undefined) !== undefined;
    if (has('stringValue')) return readText(any, 'stringValue');
    if (has('boolValue')) return readMember(any, 'boolValue') === true;
    if (has('intValue')) return encodeInteger(readInt64(readMember(any, 'intValue')));
    if (has('doubleValue')) return encodeDouble(readDouble(readMember(any, 'doubleValue')));
    if (has('arrayValue')) {
      return readList(readMember(any, 'arrayValue'), 'values').map((value) => {
        this.#counts.addValue(depth + 1);
        return this.#readAny(value, depth + 1);
      });
    }
    if (has('kvlistValue')) {
      return encodeObject(this.#readKeyValues(readList(readMember(any, 'kvlistValue'), 'values'), depth + 1));
    }
    if (has('bytesValue')) {
      const base64 = readText(any, 'bytesValue');
      return { $type: 'Buffer', size: Buffer.byteLength(base64, 'base64'), base64 };
    }
    return null;
  }
}

/** Returns the first elements of a list, and the list's full length. */
function cutList(
  parent: unknown,
  name: string,
  max: number,
): { readonly first: readonly unknown[]; readonly sent: number } {
  const list = readList(parent, name);
  return { first: list.length > max ? list.slice(0, max) : list, sent: list.length };
}

function readMember(parent: unknown, name: string): unknown {
  if (parent === undefined || parent === null) return undefined;
  if (typeof parent !== 'object' || Array.isArray(parent))
    throw new MalformedMessage(`${name} is expected in an object, but its parent is not an object`);
  return Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
}

function readList(parent: unknown, name: string): readonly unknown[] {
  const list = readMember(parent, name);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new MalformedMessage(`${name} is not an array`);
  return list;
}

function readText(parent: unknown, name: string): string {
  const text = readMember(parent, name);
  if (text === undefined || text === null) return '';
  if (typeof text !== 'string') throw new MalformedMessage(`${name} is not a string`);
  return text;
}

function readEnum(value: unknown, names: readonly string[], what: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const number = typeof value === 'string' ? names.findIndex((name) => value.endsWith(`_${name}`)) : -1;
  if (number < 0) throw new MalformedMessage(`${what} is not a value of OTLP`);
  return number;
}

function readNanos(parent: unknown, name: string): bigint {
  const value = readMember(parent, name);
  if (value === undefined || value === null) return 0n;
  return readInteger(value, name);
}

function readCount(parent: unknown, name: string): number {
  const value = readMember(parent, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function readInteger(value: unknown, name: string): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw new MalformedMessage(`${name} is not a whole number`);
}

function readDouble(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'string') return Number(value);
  throw new MalformedMessage('doubleValue is not a number');
}

function readInt64(value: unknown): bigint {
  const integer = readInteger(value, 'intValue');
  if (BigInt.asIntN(64, integer) !== integer) throw new MalformedMessage('intValue has more than 64 bits');
  return integer;
}
