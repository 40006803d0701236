import { isErrorTrace, microsToInstant, type TraceRow } from '@throughline/contract';
import { redactService, redactTraceHead } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { ProjectId } from '../../../platform/ids.ts';
import { jsonField, microsField, NULL_FIELD, textField } from '../../../platform/trace-store/index.ts';
import { StepKinds, textOfKinds } from '../../rollups/index.ts';
import type { SpanFacts } from '../../spans/index.ts';
import type { CheckedTrace } from '../decode/read-trace.ts';
import { getFields, getMember } from '../decode/sent-values.ts';
import { countryOfRequest } from '../receive/client/request-country.ts';
import { truncateIp } from '../receive/client/truncate-ip.ts';
import { encodeSourceRows, encodeVersions } from './encode-sources.ts';
import { encodeSteps } from './encode-steps.ts';
import type { Encoding } from './encoding.ts';
import { TraceAttributes } from './trace-attributes.ts';
import type { Identity } from './trace-identity.ts';
import { valueField } from './value-field.ts';

/** A trace ready to be stored. */
export interface EncodedTrace {
  readonly projectId: ProjectId;
  readonly identity: Identity;
  /** The columns of the trace's row in TabSeparated format, without the last columns, which are only known at insert time. */
  readonly traceRow: Buffer;
  /** Rows of steps in TabSeparated format, each with its line end, in pieces of whole rows. */
  readonly stepRows: readonly Buffer[];
  /** Rows of source code, each with its line end; empty if the trace came without source code. */
  readonly sourceRows: Buffer;
  /** The span that became this trace, if the trace's steps are spans. */
  readonly span: EncodedSpan | undefined;
  /** True if the row has all attributes of the request and of its steps, including steps that were stored before. */
  readonly attributesWhole: boolean;
  /** The step kinds for filters, in the format of `StepKinds`; empty if unknown. */
  readonly stepKinds: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly stepCount: number;
}

/** The span that became a request. */
export interface EncodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** The span's own attributes, without those of the request's steps. */
  readonly attributes: TraceAttributes;
}

/** The columns of {@link EncodedTrace.traceRow}, followed by those of {@link rowEnd}. */
export const TRACE_COLUMNS = [
  'project_id',
  'start_time',
  'id',
  'id_time_ms',
  'trace_id',
  'span_id',
  'parent_span_id',
  'method',
  'path',
  'route',
  'status_code',
  'duration_micros',
  'is_error',
  'has_error',
  'error_message',
  'error_code',
  'service',
  'environment',
  'release',
  'service_version',
  'instance',
  'runtime',
  'user_id',
  'session_id',
  'ip',
  'country',
  'user_agent',
  'heap_used',
  'cpu_usage',
  'event_loop_delay',
  'dropped_steps',
  'dropped_values',
  'dropped_bytes',
  'url',
  'request_headers',
  'request_query',
  'request_body',
  'response_headers',
  'response_body',
  'user',
  'attributes',
  'sources',
  'stored_at',
  'attribute_pairs',
  'attribute_names',
  'attributes_whole',
  'has_spans',
  'step_count',
  'step_kinds',
  'claim',
] as const;

/**
 * Builds the rows of a checked trace. Values come from `exact`, the trace as it was sent, and are redacted. Attributes for search are
 * added to `found`.
 */
export function encodeTrace(
  checked: CheckedTrace,
  exact: unknown,
  identity: Identity,
  encoding: Encoding,
  found = new TraceAttributes(),
): EncodedTrace {
  const { redactor, nowMicros } = encoding;
  const head = redactTraceHead(withExactValues(checked.head, exact), redactor);
  const service = redactService(encoding.service, redactor);
  const listRow = toListRow(head, checked, identity, service, encoding.projectId);
  const noting = { ...encoding, found, kinds: new StepKinds() };
  const steps = encodeSteps(checked.steps, getMember(exact, 'flow'), identity, noting);
  found.add(head.attributes);
  const row = traceRow(head, checked, identity, { service, nowMicros }, listRow);
  return {
    projectId: encoding.projectId,
    identity,
    traceRow: Buffer.from(`${row}\t${found.fields()}`),
    stepRows: steps,
    sourceRows: encodeSourceRows(head.sources, encoding.projectId, nowMicros),
    span: undefined,
    attributesWhole: found.whole,
    stepKinds: noting.kinds.text,
    startMs: Number(checked.startMicros / 1000n),
    durationMs: listRow.timing.duration,
    stepCount: listRow.stepCount,
  };
}

/** Adds steps to a request that was a span. `known` contains the search data of the steps for which it is known. */
export function withSteps(
  trace: EncodedTrace,
  span: EncodedSpan,
  steps: { readonly count: number; readonly known: readonly SpanFacts[] },
): EncodedTrace {
  const all = span.attributes.with(steps.known);
  const areKnown = steps.known.length === steps.count;
  const before = trace.traceRow.subarray(0, trace.traceRow.length - span.attributes.fields().length);
  return {
    ...trace,
    traceRow: Buffer.concat([before, Buffer.from(all.fields())]),
    attributesWhole: all.whole && areKnown,
    stepKinds: areKnown ? textOfKinds(steps.known.map(({ kind }) => kind)) : '',
    stepCount: steps.count,
  };
}

/** Builds the end of a trace's row, with its line end. `claim` is the id of the quota reservation that counted the trace. */
export function rowEnd(trace: EncodedTrace, claim: string): Buffer {
  const { span, attributesWhole, stepKinds, stepCount } = trace;
  return Buffer.from(
    `\t${Number(attributesWhole)}\t${Number(span !== undefined)}\t${stepCount}\t${jsonField(stepKinds)}\t${claim}\n`,
  );
}

/** Returns the head with its captured values as they were sent. */
function withExactValues(head: Head, exact: unknown): ExactHead {
  const request = getMember(exact, 'request');
  const response = getMember(exact, 'response');
  return {
    ...head,
    request: {
      ...head.request,
      headers: getFields(request, 'headers'),
      query: getMember(request, 'query'),
      body: getMember(request, 'body'),
    },
    response: {
      statusCode: head.response?.statusCode,
      headers: getFields(response, 'headers'),
      body: getMember(response, 'body'),
    },
    user: getFields(exact, 'user'),
    attributes: getFields(exact, 'attributes'),
  };
}

type Head = CheckedTrace['head'];
type Sender = Encoding['service'];
type Json = CapturedValue | undefined;
type Fields = { readonly [name: string]: CapturedValue } | undefined;

interface ExactHead extends Omit<Head, 'request' | 'response' | 'user' | 'attributes'> {
  readonly request: Omit<Head['request'], 'headers' | 'query' | 'body'> & {
    readonly headers: Fields;
    readonly query: Json;
    readonly body: Json;
  };
  readonly response: {
    readonly statusCode: number | null | undefined;
    readonly headers: Fields;
    readonly body: Json;
  };
  readonly user: Fields;
  readonly attributes: Fields;
}

function toListRow(
  head: ExactHead,
  checked: CheckedTrace,
  identity: Identity,
  service: Sender,
  projectId: ProjectId,
): TraceRow {
  const hasError = head.error?.hasError ?? false;
  return {
    _id: identity.id,
    traceId: head.traceId ?? identity.id.replaceAll('-', ''),
    projectId,
    request: {
      method: storable(head.request.method),
      path: storable(head.request.path),
      route: storable(head.request.route ?? '') || null,
    },
    response: { statusCode: head.response.statusCode ?? null },
    timing: {
      startTime: microsToInstant(checked.startMicros),
      duration: Math.round(head.timing.duration * 1000) / 1000,
    },
    error: {
      hasError,
      errorMessage: storable(head.error?.errorMessage ?? '') || null,
      errorCode: storable(String(head.error?.errorCode ?? '')) || null,
    },
    service: storable(service.name),
    environment: storable(service.environment ?? ''),
    release: storable(service.release ?? ''),
    userId: storable(userId(head.user)) || null,
    sessionId: storable(head.sessionId ?? '') || null,
    // Uses the address as sent, because the stored address is truncated.
    country: countryOfRequest(checked.head.request.headers, checked.head.request.ip) || null,
    stepCount: checked.steps.length,
  };
}

/** Replaces lone surrogates, because string columns contain UTF-8. */
function storable(text: string): string {
  return text.toWellFormed();
}

/**
 * Builds a trace's row. `head` and `service` are redacted. The address in `checked` is complete and is truncated here.
 * @throws TraceFault
 */
function traceRow(
  head: ExactHead,
  checked: CheckedTrace,
  identity: Identity,
  { service, nowMicros }: { readonly service: Sender; readonly nowMicros: bigint },
  row: TraceRow,
): string {
  const json = (value: Json, at: readonly string[]) =>
    value === undefined ? '' : valueField(JSON.stringify(value), at);
  const { request } = checked.head;
  const columns: readonly (string | number)[] = [
    row.projectId,
    microsField(checked.startMicros),
    identity.id,
    identity.idTimeMs,
    row.traceId,
    head.spanId ?? '',
    head.parentSpanId ?? '',
    textField(row.request.method),
    textField(row.request.path),
    textField(row.request.route ?? ''),
    row.response.statusCode ?? 0,
    Math.round(head.timing.duration * 1000),
    Number(isErrorTrace(row.response.statusCode, row.error.hasError)),
    Number(row.error.hasError),
    textField(row.error.errorMessage ?? ''),
    textField(row.error.errorCode ?? ''),
    textField(row.service),
    textField(row.environment),
    textField(row.release),
    textField(service.version ?? ''),
    textField(service.instance ?? ''),
    textField(service.runtime ?? ''),
    textField(row.userId ?? ''),
    textField(row.sessionId ?? ''),
    truncateIp(request.ip ?? ''),
    row.country ?? '',
    textField(head.request.userAgent ?? ''),
    head.performance?.memoryUsage?.heapUsed ?? NULL_FIELD,
    head.performance?.cpuUsage ?? NULL_FIELD,
    head.performance?.eventLoopDelay ?? NULL_FIELD,
    count(head.dropped?.steps),
    count(head.dropped?.values),
    count(head.dropped?.bytes),
    textField(head.request.url ?? ''),
    json(head.request.headers, ['request', 'headers']),
    json(head.request.query, ['request', 'query']),
    json(head.request.body, ['request', 'body']),
    json(head.response.headers, ['response', 'headers']),
    json(head.response.body, ['response', 'body']),
    json(head.user, ['user']),
    json(head.attributes, ['attributes']),
    encodeVersions(head.sources),
    microsField(nowMicros),
  ];
  return columns.join('\t');
}

function userId(user: { readonly [name: string]: CapturedValue } | undefined): string {
  const id = user?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Returns the number of dropped traces that the sender reports; 0 for an invalid number. */
function count(dropped: number | undefined): number {
  return dropped !== undefined && Number.isSafeInteger(dropped) && dropped > 0 ? dropped : 0;
}
