import type { CapturedValue } from '@throughline/contract/values';
import { type Attributes, type Sender, type SentSpan, STATUS_ERROR } from '../decode/sent-span.ts';
import type { TakenAttributes } from './taken-attributes.ts';

/** Finds the source location that a span names, by the semantic conventions `code.*` of versions before 1.30 and since 1.30. */
export function findCodePlace(taken: TakenAttributes) {
  const namespace = taken.text('code.namespace');
  const name = taken.text('code.function.name', 'code.function') ?? '';
  return {
    functionName: namespace === undefined || name === '' ? name || (namespace ?? '') : `${namespace}.${name}`,
    filePath: taken.text('code.file.path', 'code.filepath') ?? '',
    lineNumber: toLine(taken.count('code.line.number', 'code.lineno')),
  };
}

function toLine(line: number | undefined): number | undefined {
  return line !== undefined && line <= 0xffff_ffff ? line : undefined;
}

export interface SpanError {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
}

/**
 * Returns the error of a span: the last recorded exception or, without an exception, the span's status. Returns undefined if the span did
 * not fail.
 */
export function findError(span: SentSpan, taken: TakenAttributes): SpanError | undefined {
  const exception = span.events.findLast(({ name }) => name === 'exception')?.attributes;
  const failed = span.status.code === STATUS_ERROR;
  // A handled exception is an event of a successful span.
  if (!failed) return undefined;
  const text = (name: string): string | undefined => {
    const value = exception?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('exception.type') ?? taken.text('error.type', 'exception.type');
  const stack = text('exception.stacktrace') ?? taken.text('exception.stacktrace');
  // The exception's message is preferred to the status message, which often contains only the exception's type, or only says that the
  // request failed.
  const message = text('exception.message') || taken.text('exception.message') || span.status.message;
  return {
    message: message || (name ?? 'The span ended with an error.'),
    ...(name === undefined ? {} : { name }),
    ...(stack === undefined ? {} : { stack }),
  };
}

const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/**
 * Adds the data of the span that is neither in its attributes nor in a field of the step, such as its kind, scope, events and links. Where
 * OpenTelemetry defines a name for such data, as `otel.scope.name`, that name is used.
 */
export function addDetails(details: Attributes, span: SentSpan, { scope }: Sender): Attributes {
  const { status, traceState, dropped } = span;
  const kind = KINDS[span.kind] ?? String(span.kind);
  if (kind !== '' && kind !== 'internal') details['otel.kind'] = kind;
  if (scope.name !== '') details['otel.scope.name'] = scope.name;
  if (scope.version !== '') details['otel.scope.version'] = scope.version;
  if (Object.keys(scope.attributes).length > 0) details['otel.scope.attributes'] = scope.attributes;
  if (status.code === 1) details['otel.status_code'] = 'OK';
  if (status.message !== '') details['otel.status_description'] = status.message;
  if (traceState !== '') details['otel.trace_state'] = traceState;
  if (span.events.length > 0) details['otel.events'] = encodeEvents(span);
  if (span.links.length > 0) details['otel.links'] = encodeLinks(span);
  if (dropped.attributes > 0) details['otel.dropped_attributes_count'] = dropped.attributes;
  if (dropped.events > 0) details['otel.dropped_events_count'] = dropped.events;
  if (dropped.links > 0) details['otel.dropped_links_count'] = dropped.links;
  return details;
}

function encodeLinks({ links }: SentSpan): readonly CapturedValue[] {
  return links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes }));
}

function encodeEvents({ events }: SentSpan): readonly CapturedValue[] {
  return events.map(({ name, timeNanos, attributes }) => ({
    name,
    timeUnixNano: timeNanos.toString(),
    attributes,
  }));
}
