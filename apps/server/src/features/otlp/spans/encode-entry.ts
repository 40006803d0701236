import { MAX_CHARACTERS } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { ProjectId } from '../../../platform/ids.ts';
import { type HashBudget, timeOfTraceId, USER_ID_NAMES } from '../../../platform/trace-store/index.ts';
import { type EncodedTrace, encodeTrace, TraceAttributes } from '../../ingest/index.ts';
import { deriveTraceId } from '../../spans/index.ts';
import { type Attributes, type Sender, type SentSpan, setAttribute } from '../decode/sent-span.ts';
import { cutSecretText } from './cut-text.ts';
import { buildEntryRequest } from './entry-request.ts';
import type { ServiceDetails } from './sender-details.ts';
import { addDetails, findError } from './span-details.ts';
import { TakenAttributes, toText } from './taken-attributes.ts';

export interface EntryEncoding {
  readonly projectId: ProjectId;
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
  readonly hashes: HashBudget;
}

/** Encodes an entry span as a trace, in the form that the SDK would send. */
export function encodeEntry(
  span: SentSpan,
  sender: Sender,
  { service, rest: resource }: ServiceDetails,
  encoding: EntryEncoding,
): EncodedTrace {
  const taken = new TakenAttributes(span.attributes);
  const { query, statusCode, ...called } = buildEntryRequest(span, taken, encoding.redactor);
  const error = findError(span, taken);
  const cut = (maxCharacters: number, text: string | undefined) =>
    text === undefined ? undefined : cutSecretText(text, maxCharacters, encoding.redactor);
  const startMicros = span.startNanos / 1000n;
  const user = buildUser(taken);
  const sent = {
    request: {
      ...called,
      headers: flattenHeaders(taken.below('http.request.header.')),
      ...(query === undefined ? {} : { query }),
      ip: cut(
        MAX_CHARACTERS.ip,
        taken.text(
          'client.address',
          'http.client_ip',
          'network.peer.address',
          'net.sock.peer.addr',
          'net.peer.ip',
        ),
      ),
      userAgent: cut(MAX_CHARACTERS.userAgent, taken.text('user_agent.original', 'http.user_agent')),
    },
    response: { statusCode, headers: flattenHeaders(taken.below('http.response.header.')) },
    timing: { startTime: '', duration: Number(computeDurationNanos(span) / 1000n) / 1000 },
    error: {
      hasError: error !== undefined,
      errorMessage: cut(MAX_CHARACTERS.name, error?.message),
      errorCode: cut(MAX_CHARACTERS.name, error?.name),
    },
    ...(user === undefined ? {} : { user }),
    sessionId: cut(MAX_CHARACTERS.sessionId, taken.text('session.id')),
    attributes: {
      ...resource,
      ...addDetails(taken.rest(), span, sender),
      ...(error?.stack === undefined ? {} : { 'exception.stacktrace': error.stack }),
      'otel.start_time_unix_nano': span.startNanos.toString(),
      'otel.end_time_unix_nano': (span.startNanos + computeDurationNanos(span)).toString(),
    },
  };
  const key = { projectId: encoding.projectId, traceId: span.traceId };
  const id = deriveTraceId(key, span.spanId, span.startNanos / 1_000_000n);
  const head = {
    ...sent,
    user: user === undefined ? undefined : { id: toText(user.id) },
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
  };
  const attributes = new TraceAttributes(encoding.hashes);
  const trace = encodeTrace(
    { head, startMicros, steps: [] },
    sent,
    { id, idTimeMs: timeOfTraceId(id), pair: undefined },
    { ...encoding, service },
    attributes,
  );
  return { ...trace, span: { traceId: span.traceId, spanId: span.spanId, attributes } };
}

/**
 * Returns the span's duration. Returns 0 if the span has no end, or if it ends before it starts, which happens if the clock was set back in
 * between.
 */
export function computeDurationNanos({ startNanos, endNanos }: SentSpan): bigint {
  return endNanos > startNanos ? endNanos - startNanos : 0n;
}

/** Replaces lists of one value by the value: OpenTelemetry sends each header's values as a list. */
function flattenHeaders(headers: Attributes | undefined): Attributes {
  const plain: Attributes = {};
  for (const [name, values] of Object.entries(headers ?? {})) {
    setAttribute(plain, name, Array.isArray(values) && values.length === 1 ? takeFirst(values) : values);
  }
  return plain;
}

function takeFirst(values: readonly CapturedValue[]): CapturedValue {
  return values[0] ?? null;
}

const USER_FIELDS = Object.entries({
  id: USER_ID_NAMES,
  name: ['user.full_name', 'user.name'],
  email: ['user.email'],
  roles: ['user.roles', 'enduser.role'],
  scope: ['enduser.scope'],
});

function buildUser(taken: TakenAttributes): Attributes | undefined {
  let user: Attributes | undefined;
  for (const [field, names] of USER_FIELDS) {
    const value = taken.value(...names);
    if (value === undefined) continue;
    user ??= {};
    user[field] = value;
  }
  return user;
}
