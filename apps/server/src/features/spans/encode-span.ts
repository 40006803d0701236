import { jsonField, NULL_FIELD, textField } from '../../platform/trace-store/index.ts';
import type { SpanLink } from './assemble.ts';

/** A span in the form in which it is stored. */
export interface Span extends Omit<SpanLink, 'startNanos'> {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  readonly name: string;
  readonly type: string;
  /** Decimal digits, epoch nanoseconds. */
  readonly startNanos: string;
  readonly durationNanos: string;
  /** Status code of the request if the span becomes a request. */
  readonly statusCode: number;
  readonly hasError: boolean;
  readonly functionName: string;
  readonly filePath: string;
  readonly lineNumber: number | undefined;
  /** Redacted JSON; empty if there is no error. */
  readonly error: string;
  readonly metadata: string;
  readonly captured: string;
  readonly resource: string;
}

/** Columns in the order in which {@link encodeSpan} writes them. */
export const SPAN_COLUMNS = [
  'project_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'entry',
  'service',
  'name',
  'type',
  'start_nanos',
  'duration_nanos',
  'status_code',
  'has_error',
  'function_name',
  'file_path',
  'line_number',
  'error',
  'metadata',
  'captured',
  'resource',
  'stored_at',
] as const;

/** Encodes a span as a TabSeparated row. `storedAt` must already be encoded. */
export function encodeSpan(span: Span, projectId: string, storedAt: string): string {
  return `${projectId}\t${span.traceId}\t${span.spanId}\t${span.parentSpanId}\t${Number(span.entry)}\t${textField(
    span.service,
  )}\t${textField(span.name)}\t${span.type}\t${span.startNanos}\t${span.durationNanos}\t${span.statusCode}\t${Number(
    span.hasError,
  )}\t${textField(span.functionName)}\t${textField(span.filePath)}\t${span.lineNumber ?? NULL_FIELD}\t${jsonField(
    span.error,
  )}\t${jsonField(span.metadata)}\t${jsonField(span.captured)}\t${jsonField(span.resource)}\t${storedAt}\n`;
}
