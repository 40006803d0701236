import { type IngestBody, isErrorTrace, microsToInstant, type TraceRow } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import { jsonField, microsField, NULL_FIELD, textField } from '../../platform/trace-store/index.ts';
import { StepKinds, textOfKinds } from '../rollups/index.ts';
import type { SpanFacts } from '../spans/index.ts';
import type { CapturedStep } from './captured-step.ts';
import { encodeSteps } from './encode-steps.ts';
import type { CheckedTrace } from './read-trace.ts';
import { countryOfRequest } from './request-country.ts';
import { fieldsOf, memberOf } from './sent-values.ts';
import { TraceAttributes } from './trace-attributes.ts';
import type { Identity } from './trace-identity.ts';
import { truncateIp } from './truncate-ip.ts';

/** A trace ready to be stored. */
export interface EncodedTrace {
  readonly projectId: ProjectId;
  readonly identity: Identity;
  /** The columns of its row in TabSeparated format but for the last ones, which are known when it is stored. */
  readonly traceRow: Buffer;
  /** Rows in TabSeparated format, each with its line end. */
  readonly stepRows: Buffer;
  /** The span that it was made of, where its steps are spans. */
  readonly span: EncodedSpan | undefined;
  /** Whether its row has all attributes of the request and of the steps that are stored with it or before. */
  readonly attributesWhole: boolean;
  /** What filters by steps ask, as `StepKinds` says it; empty where it is not known. */
  readonly stepKinds: string;
  /** What viewers of the live feed get. */
  readonly listRow: TraceRow;
}

/** Of a request that was a span. */
export interface EncodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Its own attributes, without those of its steps. */
  readonly attributes: TraceAttributes;
}

export interface Encoding {
  readonly projectId: ProjectId;
  readonly service: z.output<typeof IngestBody>['service'];
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
  /** What was captured of a step, by its place in the flow, where it is not in the trace itself. */
  readonly captured?: (step: number) => CapturedStep;
}

/** Takes note of what a trace is searched by, as it is written. */
export interface NotingEncoding extends Encoding {
  readonly found: TraceAttributes;
  readonly kinds: StepKinds;
}

/** The columns of {@link EncodedTrace.traceRow} and, behind them, of {@link rowEnd}. */
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
 * Makes the rows of a checked trace. `exact` is the trace as it was sent, whose values are taken from there, redacted. What it is searched by is
 * put into `found`.
 */
export function encodeTrace(
  checked: CheckedTrace,
  exact: unknown,
  identity: Identity,
  encoding: Encoding,
  found = new TraceAttributes(),
): EncodedTrace {
  const listRow = toListRow(checked, identity, encoding);
  const noting = { ...encoding, found, kinds: new StepKinds() };
  const steps = encodeSteps(checked.steps, memberOf(exact, 'flow'), identity, noting);
  const row = traceRow(checked, exact, identity, noting, listRow);
  return {
    projectId: encoding.projectId,
    identity,
    // As bytes they are outside the heap, which the collector then need not go through while they wait.
    traceRow: Buffer.from(`${row}\t${found.fields()}`),
    stepRows: Buffer.from(steps),
    span: undefined,
    attributesWhole: found.whole,
    stepKinds: noting.kinds.text,
    listRow,
  };
}

/** A request that was a span, with steps; of `known`, those of some of them, what it is searched by. */
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
    listRow: { ...trace.listRow, stepCount: steps.count },
  };
}

/** What completes a trace's row, with its line end. `claim` is what it was counted under. */
export function rowEnd(trace: EncodedTrace, claim: string): Buffer {
  const { span, attributesWhole, stepKinds, listRow } = trace;
  return Buffer.from(
    `\t${Number(attributesWhole)}\t${Number(span !== undefined)}\t${listRow.stepCount}\t${jsonField(stepKinds)}\t${claim}\n`,
  );
}

function toListRow(checked: CheckedTrace, identity: Identity, encoding: Encoding): TraceRow {
  const { head } = checked;
  const { redactor, service } = encoding;
  const statusCode = head.response?.statusCode ?? null;
  const hasError = head.error?.hasError ?? false;
  return {
    _id: identity.id,
    traceId: head.traceId ?? identity.id.replaceAll('-', ''),
    projectId: encoding.projectId,
    request: {
      method: storable(head.request.method),
      path: storable(redactor.text(head.request.path)),
      route: storable(head.request.route ?? '') || null,
    },
    response: { statusCode },
    timing: {
      startTime: microsToInstant(checked.startMicros),
      duration: Math.round(head.timing.duration * 1000) / 1000,
    },
    error: {
      hasError,
      errorMessage: storable(redactor.text(head.error?.errorMessage ?? '')) || null,
      errorCode: storable(String(head.error?.errorCode ?? '')) || null,
    },
    service: storable(service.name),
    environment: storable(service.environment ?? ''),
    release: storable(service.release ?? ''),
    stepCount: checked.steps.length,
  };
}

/** A text column holds UTF-8, which has no halves of surrogate pairs. */
function storable(text: string): string {
  return text.toWellFormed();
}

function traceRow(
  checked: CheckedTrace,
  exact: unknown,
  identity: Identity,
  encoding: NotingEncoding,
  row: TraceRow,
): string {
  const { head } = checked;
  const { redactor, service, found } = encoding;
  const request = memberOf(exact, 'request');
  const response = memberOf(exact, 'response');
  const json = (value: CapturedValue | undefined, at: readonly string[]) =>
    value === undefined ? '' : jsonField(JSON.stringify(redactor.value(value, at)));
  const fields = (value: ReturnType<typeof fieldsOf>, at: readonly string[]) =>
    value === undefined ? undefined : redactor.fields(value, at);
  const jsonOf = (value: CapturedValue | undefined) =>
    value === undefined ? '' : jsonField(JSON.stringify(value));
  const user = fields(fieldsOf(exact, 'user'), ['user']);
  const attributes = fields(fieldsOf(exact, 'attributes'), ['attributes']);
  found.add(attributes);
  const columns: readonly (string | number)[] = [
    encoding.projectId,
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
    textField(userId(user)),
    textField(head.sessionId ?? ''),
    truncateIp(head.request.ip ?? ''),
    countryOfRequest(head.request.headers, head.request.ip),
    textField(redactor.text(head.request.userAgent ?? '')),
    head.performance?.memoryUsage?.heapUsed ?? NULL_FIELD,
    head.performance?.cpuUsage ?? NULL_FIELD,
    head.performance?.eventLoopDelay ?? NULL_FIELD,
    count(head.dropped?.steps),
    count(head.dropped?.values),
    count(head.dropped?.bytes),
    textField(redactor.text(head.request.url ?? '')),
    jsonOf(fields(fieldsOf(request, 'headers'), ['request', 'headers'])),
    json(memberOf(request, 'query'), ['request', 'query']),
    json(memberOf(request, 'body'), ['request', 'body']),
    jsonOf(fields(fieldsOf(response, 'headers'), ['response', 'headers'])),
    json(memberOf(response, 'body'), ['response', 'body']),
    jsonOf(user),
    jsonOf(attributes),
    microsField(encoding.nowMicros),
  ];
  return columns.join('\t');
}

function userId(user: { readonly [name: string]: CapturedValue } | undefined): string {
  const id = user?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** What the sender says it left out; what is no count says nothing. */
function count(dropped: number | undefined): number {
  return dropped !== undefined && Number.isSafeInteger(dropped) && dropped > 0 ? dropped : 0;
}
