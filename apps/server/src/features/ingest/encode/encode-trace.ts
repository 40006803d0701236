import { isErrorTrace } from '@throughline/contract';
import { redactService, redactTraceHead } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { ProjectId } from '../../../platform/ids.ts';
import { INSERT_COLUMNS, REQUEST_COLUMNS } from '../../../platform/trace-store/index.ts';
import { formatKinds, StepKinds } from '../../rollups/index.ts';
import type { SpanFacts } from '../../spans/index.ts';
import type { CheckedTrace } from '../decode/read-trace.ts';
import { getFields, getMember } from '../decode/sent-values.ts';
import { findRequestCountry } from './client/request-country.ts';
import { truncateIp } from './client/truncate-ip.ts';
import { encodeSourceRows, encodeVersions } from './encode-sources.ts';
import { encodeSteps } from './encode-steps.ts';
import type { Encoding, NotingEncoding } from './encoding.ts';
import { ErrorPlace } from './error-place.ts';
import { refuseLargeValue } from './refuse-large-value.ts';
import { isRawJSON, TraceAttributes } from './trace-attributes.ts';
import type { Identity } from './trace-identity.ts';

/** A trace ready to be stored. */
export interface EncodedTrace {
  readonly projectId: ProjectId;
  readonly identity: Identity;
  /**
   * The columns of the request in TabSeparated format, each with the tab after it. The row continues with `searchFields`, and ends with
   * {@link buildRowEnd}.
   */
  readonly traceRow: Buffer;
  /**
   * The columns with the hashes of the attributes, each with the tab after it. If steps were stored as spans, {@link withSteps} adds the
   * hashes of the steps' attributes.
   */
  readonly searchFields: Buffer;
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
  const noting = {
    ...encoding,
    found,
    kinds: new StepKinds(),
    place: new ErrorPlace(checked.head.error?.errorMessage ?? ''),
  };
  const steps = encodeSteps(checked.steps, getMember(exact, 'flow'), identity, noting);
  found.add(head.attributes);
  const row = writeRequestColumns(head, checked, identity, { ...noting, service });
  return {
    projectId: encoding.projectId,
    identity,
    traceRow: Buffer.from(`${row}\t`),
    searchFields: writeSearchFields(found),
    stepRows: steps,
    sourceRows: encodeSourceRows(head.sources, encoding.projectId, nowMicros),
    span: undefined,
    attributesWhole: found.whole,
    stepKinds: noting.kinds.text,
    startMs: Number(checked.startMicros / 1000n),
    durationMs: Math.round(head.timing.duration * 1000) / 1000,
    stepCount: checked.steps.length,
  };
}

/** Adds steps to a request that was a span. `known` contains the steps' search data, as far as it is known. */
export function withSteps(
  trace: EncodedTrace,
  span: EncodedSpan,
  steps: { readonly count: number; readonly known: readonly SpanFacts[] },
): EncodedTrace {
  const all = span.attributes.with(steps.known);
  const areKnown = steps.known.length === steps.count;
  return {
    ...trace,
    searchFields: writeSearchFields(all),
    attributesWhole: all.whole && areKnown,
    stepKinds: areKnown ? formatKinds(steps.known.map(({ kind }) => kind)) : '',
    stepCount: steps.count,
  };
}

/** Builds the end of a trace's row, with its line end. `reservation` is the id of the quota reservation that counted the trace. */
export function buildRowEnd(trace: EncodedTrace, reservation: string): Buffer {
  const row = INSERT_COLUMNS.write({
    attributes_whole: trace.attributesWhole,
    has_spans: trace.span !== undefined,
    step_count: trace.stepCount,
    step_kinds: trace.stepKinds,
    claim: reservation,
  });
  return Buffer.from(`${row}\n`);
}

function writeSearchFields(attributes: TraceAttributes): Buffer {
  return Buffer.from(`${attributes.fields()}\t`);
}

/** Returns the fields of a trace outside its steps, with the captured values as they were sent. */
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

/**
 * Writes the columns of the request. `head` and `service` are redacted. The address in `checked` is complete and is truncated here. Lone
 * surrogates are replaced when the row becomes UTF-8.
 * @throws TraceFault
 */
function writeRequestColumns(
  head: ExactHead,
  checked: CheckedTrace,
  identity: Identity,
  {
    projectId,
    service,
    nowMicros,
    place,
  }: Pick<NotingEncoding, 'projectId' | 'service' | 'nowMicros' | 'place'>,
): string {
  const json = (value: Json, at: readonly string[]) => {
    if (value === undefined) return '';
    const text = JSON.stringify(value);
    refuseLargeValue(text, at);
    return text;
  };
  const { request } = checked.head;
  const { statusCode = null } = head.response;
  const hasError = head.error?.hasError ?? false;
  const isError = isErrorTrace(statusCode, hasError);
  return REQUEST_COLUMNS.write({
    project_id: projectId,
    start_time: checked.startMicros,
    id: identity.id,
    id_time_ms: identity.idTimeMs,
    trace_id: head.traceId ?? identity.id.replaceAll('-', ''),
    span_id: head.spanId ?? '',
    parent_span_id: head.parentSpanId ?? '',
    method: head.request.method,
    path: head.request.path,
    route: head.request.route ?? '',
    status_code: statusCode ?? 0,
    duration_micros: Math.round(head.timing.duration * 1000),
    is_error: isError,
    has_error: hasError,
    error_message: head.error?.errorMessage ?? '',
    error_code: String(head.error?.errorCode ?? ''),
    error_place: isError ? place.write() : '',
    service: service.name,
    environment: service.environment ?? '',
    release: service.release ?? '',
    service_version: service.version ?? '',
    instance: service.instance ?? '',
    runtime: service.runtime ?? '',
    user_id: readUserId(head.user),
    session_id: head.sessionId ?? '',
    ip: truncateIp(request.ip ?? ''),
    // Uses the address as sent, because the stored address is truncated.
    country: findRequestCountry(request.headers, request.ip),
    user_agent: head.request.userAgent ?? '',
    heap_used: head.performance?.memoryUsage?.heapUsed,
    cpu_usage: head.performance?.cpuUsage,
    event_loop_delay: head.performance?.eventLoopDelay,
    dropped_steps: count(head.dropped?.steps),
    dropped_values: count(head.dropped?.values),
    dropped_bytes: count(head.dropped?.bytes),
    url: head.request.url ?? '',
    request_headers: json(head.request.headers, ['request', 'headers']),
    request_query: json(head.request.query, ['request', 'query']),
    request_body: json(head.request.body, ['request', 'body']),
    response_headers: json(head.response.headers, ['response', 'headers']),
    response_body: json(head.response.body, ['response', 'body']),
    user: json(head.user, ['user']),
    attributes: json(head.attributes, ['attributes']),
    sources: encodeVersions(head.sources),
    stored_at: nowMicros,
  });
}

function readUserId(user: { readonly [name: string]: CapturedValue } | undefined): string {
  const id = user?.id;
  // `isRawJSON` is true for a number that no double can represent.
  if (isRawJSON(id)) return JSON.stringify(id);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Returns a number of dropped steps, values or bytes that the sender reports; 0 for an invalid number. */
function count(dropped: number | undefined): number {
  return dropped !== undefined && Number.isSafeInteger(dropped) && dropped > 0 ? dropped : 0;
}
