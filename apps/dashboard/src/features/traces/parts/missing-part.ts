import type { CapturedValue, Trace, TracePart } from '@throughline/contract';

/**
 * Returns the value of a captured part of a trace, such as the body; undefined if the part was not captured, or was too large to be sent
 * with the trace.
 */
export function getPart(trace: Trace, part: TracePart): CapturedValue | undefined {
  switch (part) {
    case 'request.headers':
      return trace.request.headers;
    case 'request.query':
      return trace.request.query;
    case 'request.body':
      return trace.request.body;
    case 'response.headers':
      return trace.response.headers;
    case 'response.body':
      return trace.response.body;
    case 'user':
      return trace.user ?? undefined;
    case 'attributes':
      return trace.attributes;
  }
}

type Headers = Trace['request']['headers'];

/** Describes why a part of a trace, such as the body, is empty: there was nothing to capture, or nothing was captured. */
export function describeMissingPart(trace: Trace, part: TracePart): string {
  switch (part) {
    case 'request.query':
      return hasQuery(trace) ? describeNotCaptured(trace) : 'None: the URL has no query.';
    case 'request.body':
      return describeMissingBody(trace, hasRequestBody(trace.request), 'The request had no body.');
    case 'response.body':
      return trace.response.statusCode === null
        ? 'None: there was no response.'
        : describeMissingBody(trace, hasResponseBody(trace), 'The response had no body.');
    default:
      return 'None.';
  }
}

function describeMissingBody(trace: Trace, had: boolean | undefined, none: string): string {
  if (had === undefined) return `Empty, or not captured: ${describeLacking(trace)}.`;
  return had ? describeNotCaptured(trace) : none;
}

function describeNotCaptured(trace: Trace): string {
  return `Not captured: ${describeLacking(trace)}.`;
}

function describeLacking({ dropped }: Trace): string {
  return dropped.bytes > 0
    ? 'the recording reached a limit'
    : 'the service records no values (capture mode structure), or its SDK did not see this part';
}

function hasQuery({ request }: Trace): boolean {
  return (request.url ?? request.path).includes('?');
}

/** Methods whose requests usually have a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** True if a request had a body according to its headers; undefined if the headers do not show that. */
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

/** True if a response had a body according to its status and headers; undefined if they do not show that. */
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
