import type { CapturedValue } from '@throughline/contract/values';

/** Attributes by name. These are ordinary objects, since serializing objects without a prototype took twice as long. */
export interface Attributes {
  [name: string]: CapturedValue;
}

/** Sets an attribute of any name, even `__proto__`. */
export function setAttribute(attributes: Attributes, name: string, value: CapturedValue): void {
  if (name !== '__proto__') attributes[name] = value;
  else
    Object.defineProperty(attributes, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Thrown if one span or its sender cannot be accepted. The other spans of the message can still be accepted. */
export class UnreadableSpan extends Error {
  override readonly name = 'UnreadableSpan';
}

export interface SentEvent {
  readonly name: string;
  /** Time of the event in epoch nanoseconds. */
  readonly timeNanos: bigint;
  readonly attributes: Attributes;
}

export interface SentLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** The sender of a span: its resource and its instrumentation scope. */
export interface Sender {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: Attributes };
}

export const KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
export const STATUS_ERROR = 2;

/** A span from either of OTLP's encodings. Ids are lower-case hexadecimal digits, unchecked. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  /** Start of the span in epoch nanoseconds. */
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Attributes;
  readonly events: readonly SentEvent[];
  readonly links: readonly SentLink[];
  readonly status: { readonly code: number; readonly message: string };
  /** Numbers of items that the sender or the decoder omitted. */
  readonly dropped: { readonly attributes: number; readonly events: number; readonly links: number };
}

/** A span that was not decoded, because its trace already has the maximum number of spans. */
export class SpanOfFullTrace {
  readonly traceId: string;

  constructor(traceId: string) {
    this.traceId = traceId;
  }
}

export function isDecoded(span: SentSpan | UnreadableSpan | SpanOfFullTrace): span is SentSpan {
  return !(span instanceof UnreadableSpan || span instanceof SpanOfFullTrace);
}

/** A span with its sender, or the reason why the span is not read. */
export type Sent = readonly [SentSpan, Sender] | UnreadableSpan | SpanOfFullTrace;

/** Converts a double to a captured value. JSON has no NaN or infinities, and loses the sign of -0. */
export function encodeDouble(value: number): CapturedValue {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity' || text === '-0')
    return { $type: 'number', value: text };
  throw new Error(`${text} is a number that JSON can contain`);
}

/** `JSON.rawJSON` is new in ES2026. Node.js has it, but TypeScript's libraries do not declare it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): { readonly rawJSON: string } };

/** Converts an int64 to a JSON number with all its digits. */
export function encodeInteger(value: bigint): CapturedValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : rawJSON(value.toString());
}

/** Wraps an object that has its own `$type`, so that it is not mistaken for an encoded value. */
export function encodeObject(fields: Attributes): CapturedValue {
  return Object.hasOwn(fields, '$type') ? { $type: 'object', properties: fields } : fields;
}
