import type { CapturedValue, Trace, TracePart } from '@throughline/contract';
import { explainSentWithout } from './no-values.ts';

/**
 * Returns a captured part of a trace, such as the body. Returns undefined if the part was not captured, or was too large to be sent with
 * the trace. Traces without values have empty headers and an empty query, so these also count as not captured.
 */
export function getPart(trace: Trace, part: TracePart): CapturedValue | undefined {
  switch (part) {
    case 'request.headers':
      return omitEmpty(trace.request.headers);
    case 'request.query':
      return omitEmpty(trace.request.query);
    case 'request.body':
      return trace.request.body;
    case 'response.headers':
      return omitEmpty(trace.response.headers);
    case 'response.body':
      return trace.response.body;
    case 'user':
      return trace.user ?? undefined;
    case 'attributes':
      return trace.attributes;
  }
}

function omitEmpty(part: CapturedValue | undefined): CapturedValue | undefined {
  const isEmpty = typeof part === 'object' && part !== null && Object.keys(part).length === 0;
  return isEmpty ? undefined : part;
}

type Headers = Trace['request']['headers'];

const NO_RESPONSE = 'None: there was no response.';

/** Describes why a part of a trace, such as the body, is empty: there was nothing to capture, or nothing was captured. */
export function describeMissingPart(trace: Trace, part: TracePart): string {
  switch (part) {
    case 'request.headers':
      return describeMissingHeaders(trace);
    case 'response.headers':
      return trace.response.statusCode === null ? NO_RESPONSE : describeMissingHeaders(trace);
    case 'request.query':
      return describeMissingBody(trace, hasQuery(trace.request), 'None: the URL has no query.');
    case 'request.body':
      return describeMissingBody(trace, hasRequestBody(trace.request), 'The request had no body.');
    case 'response.body':
      return trace.response.statusCode === null
        ? NO_RESPONSE
        : describeMissingBody(trace, hasResponseBody(trace), 'The response had no body.');
    default:
      return 'None.';
  }
}

/** Every request and response has headers, so missing headers were not captured, or are not shown to the viewer. */
function describeMissingHeaders(trace: Trace): string {
  return trace.dropped.bytes > 0 || explainSentWithout(trace) !== undefined
    ? describeNotCaptured(trace)
    : 'Not available: the service records no values (capture mode structure), its SDK did not see this part, or you see this trace without values.';
}

function describeMissingBody(trace: Trace, had: boolean | undefined, none: string): string {
  if (had === undefined) return `Empty, or not captured: ${describeLacking(trace)}.`;
  return had ? describeNotCaptured(trace) : none;
}

function describeNotCaptured(trace: Trace): string {
  return `Not captured: ${describeLacking(trace)}.`;
}

function describeLacking(trace: Trace): string {
  const why = explainSentWithout(trace);
  if (why !== undefined) return why;
  return trace.dropped.bytes > 0
    ? 'the recording reached a limit'
    : 'the service records no values (capture mode structure), or its SDK did not see this part';
}

/**
 * True if the URL of a request has a query. Undefined if the request has no headers: traces without values have no headers, and store the
 * URL without its query.
 */
export function hasQuery({
  url,
  path,
  headers,
}: Pick<Trace['request'], 'url' | 'path' | 'headers'>): boolean | undefined {
  if ((url ?? path).includes('?')) return true;
  return Object.keys(headers).length === 0 ? undefined : false;
}

/** Methods whose requests usually have a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** True if a request had a body, according to its headers; undefined if the headers do not show whether it had one. */
export function hasRequestBody({
  method,
  headers,
}: Pick<Trace['request'], 'method' | 'headers'>): boolean | undefined {
  const length = readHeader(headers, 'content-length');
  if (length !== undefined) return length !== '0';
  if (readHeader(headers, 'transfer-encoding') !== undefined) return true;
  // A POST over HTTP/2 can have a body without `content-length` and `transfer-encoding`, and OpenTelemetry sends only some headers.
  return WITH_BODY.has(method) || Object.keys(headers).length === 0 ? undefined : false;
}

/** True if a response had a body, according to its status and headers; undefined if they do not show whether it had one. */
export function hasResponseBody({ request, response }: Trace): boolean | undefined {
  const status = response.statusCode ?? 0;
  if (request.method === 'HEAD' || status === 204 || status === 304 || status < 200) return false;
  const length = readHeader(response.headers, 'content-length');
  if (length !== undefined) return length !== '0';
  return readHeader(response.headers, 'transfer-encoding') === undefined ? undefined : true;
}

function readHeader(headers: Headers, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}
