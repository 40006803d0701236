import { formatJsonField, formatTextField } from '../rows/tab-separated.ts';
import { defineColumns } from './columns.ts';
import { STEP_CODE, STEP_VALUES, STORED_AT } from './steps.ts';

/** The fields that a span has and a step does not have. */
export interface SpanPlace {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentSpanId: string;
  /** True if the span becomes a request: a span of kind SERVER or CONSUMER, or a root span. */
  readonly entry: boolean;
  readonly service: string;
  /** Epoch nanoseconds. */
  readonly startNanos: bigint;
  readonly durationNanos: bigint;
  /** The HTTP status code, if the span is not an `entry` and can be turned into a request later. 0 if the span is an `entry`. */
  readonly statusCode: number;
  readonly hasError: boolean;
  /** JSON that describes the sender (OpenTelemetry's resource). */
  readonly resource: string;
}

const SPAN_PROJECT = defineColumns<string>()({ project_id: (projectId) => projectId });

const SPAN_PLACE = defineColumns<SpanPlace>()({
  trace_id: ({ traceId }) => traceId,
  span_id: ({ spanId }) => spanId,
  parent_span_id: ({ parentSpanId }) => parentSpanId,
  entry: ({ entry }) => Number(entry),
  service: ({ service }) => formatTextField(service),
  start_nanos: ({ startNanos }) => startNanos,
  duration_nanos: ({ durationNanos }) => durationNanos,
  status_code: ({ statusCode }) => statusCode,
  has_error: ({ hasError }) => Number(hasError),
  resource: ({ resource }) => formatJsonField(resource),
});

/** The columns of `spans`, in the order in which {@link writeSpanRow} writes them. */
export const SPAN_COLUMNS = [SPAN_PROJECT, SPAN_PLACE, STEP_CODE, STEP_VALUES, STORED_AT].flatMap(
  ({ names }): readonly string[] => names,
);

/** Formats a row of `spans`. `step` (see `writeStep`) and `storedAt` are already formatted, because many rows share them. */
export function writeSpanRow(projectId: string, place: SpanPlace, step: string, storedAt: string): string {
  return `${SPAN_PROJECT.write(projectId)}\t${SPAN_PLACE.write(place)}\t${step}\t${storedAt}\n`;
}
