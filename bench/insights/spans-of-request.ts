/** Converts a request to the spans that OpenTelemetry would send for it. */
import { type OtlpSpan, otlpAttributes } from '@throughline/testkit/otlp';
import type { Project } from './habits.ts';
import type { Otlp } from './problem.ts';
import type { Request } from './request.ts';
import { type SentTrace, writeTrace } from './trace-of-request.ts';

const SERVER = 2;
const CLIENT = 3;
const STATUS_ERROR = 2;

/** Returns the server span and the spans of its calls, children first, since they end before their parents. */
export function writeSpans(project: Project, request: Request, otlp: Otlp): OtlpSpan[] {
  const trace = writeTrace(project, request);
  const root: OtlpSpan = {
    traceId: trace.traceId,
    spanId: trace.spanId,
    name: `${trace.request.method} ${trace.request.route}`,
    kind: SERVER,
    ...writeTimes(request.atMs, trace.timing.duration),
    attributes: [
      ...otlpAttributes({
        'http.request.method': trace.request.method,
        'http.route': trace.request.route,
        'http.response.status_code': trace.response.statusCode,
        'url.full': trace.request.url,
        'url.path': trace.request.path,
        'user_agent.original': trace.request.userAgent,
        tenant: request.tenant,
        ...(request.userId !== null && { 'user.id': request.userId }),
      }),
      // OpenTelemetry sends the values of each header as a list.
      {
        key: 'http.request.header.cf-ipcountry',
        value: { arrayValue: { values: [{ stringValue: request.country }] } },
      },
    ],
    ...writeFailure(request, trace, otlp),
  };
  return [...writeChildren(request, trace), root];
}

function writeTimes(startMs: number, durationMs: number) {
  const startNanos = BigInt(Math.round(startMs * 1e3)) * 1000n;
  const endNanos = startNanos + BigInt(Math.round(durationMs * 1e6));
  return { startTimeUnixNano: String(startNanos), endTimeUnixNano: String(endNanos) };
}

/**
 * Writes the exception of a failed request as an event. As the semantic conventions for HTTP require, the status of a server span is an
 * error only if the server is to blame, that is, from 500 on.
 */
function writeFailure({ atMs, failure }: Request, trace: SentTrace, { statusText }: Otlp) {
  if (failure === null) return {};
  const attributes = otlpAttributes({
    'exception.type': 'java.lang.IllegalStateException',
    'exception.message': failure.message,
    'exception.stacktrace': `java.lang.IllegalStateException: ${failure.message}\n\tat example.Service.answer(Service.java:88)`,
  });
  const { endTimeUnixNano } = writeTimes(atMs, trace.timing.duration);
  return {
    events: [{ name: 'exception', timeUnixNano: endTimeUnixNano, attributes }],
    ...(failure.status >= 500 && { status: { code: STATUS_ERROR, message: statusText } }),
  };
}

/** Writes a span for each call. OpenTelemetry records calls to other systems, but no functions. */
function writeChildren({ calls, atMs, hit }: Request, { traceId, spanId }: SentTrace): OtlpSpan[] {
  if (hit === true) return [];
  let [fromMs, endMs] = [atMs + 1, atMs + 1];
  return calls.map(({ habit, ms, beside, error }, index) => {
    if (!beside) fromMs = endMs;
    endMs = Math.max(endMs, fromMs + ms);
    return {
      traceId,
      spanId: (BigInt(`0x${spanId}`) ^ BigInt(index + 1)).toString(16).padStart(16, '0'),
      parentSpanId: spanId,
      name: habit.name,
      kind: CLIENT,
      ...writeTimes(fromMs, ms),
      attributes: otlpAttributes(
        habit.type === 'http'
          ? { 'http.request.method': 'POST', 'server.address': habit.to, 'url.full': `http://${habit.to}/` }
          : { 'db.system.name': habit.to, 'db.query.text': habit.name },
      ),
      ...(error !== null && { status: { code: STATUS_ERROR, message: error } }),
    };
  });
}
