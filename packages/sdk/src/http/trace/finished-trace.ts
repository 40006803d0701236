import { STATUS_CODES } from 'node:http';
import { withAuthorsStacks } from '../../errors/authors-stacks.ts';
import { formatInstant } from '../../internal/instant.ts';
import type { Finished } from '../../record/recording.ts';
import type { StepError } from '../../record/types.ts';
import { MAX_LENGTHS } from '../../send/encode/fit-head.ts';
import type { CapturedRecord, FinishedTrace, WireTrace } from '../../send/encode/wire.ts';
import type { FunctionSources } from '../../source/function-sources.ts';
import { createSpanId, createUuidV7 } from '../context/ids.ts';
import {
  readRequestHeader,
  readResponseHeaders,
  readSentStatus,
  requestHeaders,
  takeSingle,
} from '../messages/headers.ts';
import { parseForm } from '../messages/query.ts';
import { measurePerformance } from '../process-stats.ts';
import { parseTarget } from '../target.ts';
import { annotatePath, findErrorInAnswer, mayCarryOperation } from './graphql-request.ts';
import { type RequestTrace, readRemoteAddress } from './request-trace.ts';

export interface TraceEnd {
  /** performance.now() at the end of the request. */
  readonly nowMs: number;
  /** True if values (bodies, headers, the query) can be sent. */
  readonly withValues: boolean;
  /** True if headers and the query can be sent: the settings allow values, even if the memory limit left no space for values. */
  readonly withHeaders: boolean;
  /** False if headers and bodies are left out to stay within the CPU budget. */
  readonly withMessages: boolean;
  /** Why a request that was not sampled is sent anyway, without steps. */
  readonly unsampled?: 'error' | 'slow' | undefined;
  /** Finds the source code of the functions that ran; absent if source code is not sent. */
  readonly sources?: Pick<FunctionSources, 'collect'> | undefined;
  /** True if the trace is sent before the response is finished: the process is about to end, or the response streams too long. */
  readonly unfinished?: boolean | undefined;
}

/** Converts an ended request to a trace that is not yet redacted or written. */
export function buildFinishedTrace(trace: RequestTrace, end: TraceEnd): FinishedTrace {
  const { res, recording } = trace;
  const startMicros = Math.round(trace.anchorMicros + trace.startMs * 1000);
  // Headers and bodies are read before `finish` clears the recording. They are read even if they are left out of the trace, because their
  // secrets must also be redacted in the steps' values.
  const isRead = end.withMessages || recording?.hasValues === true;
  const known = trace.reported ?? (trace.reportsFailures ? undefined : recording?.failure());
  const request = requestPart(trace, end, isRead);
  const response = buildResponsePart(trace, end, isRead);
  const answered = findFailureInAnswer(trace, request, response);
  // If a GraphQL operation was executed, its error is more precise than the error in the response body. Otherwise the error in the body is
  // more precise than the framework's error.
  const failure = trace.operations === null ? (answered ?? known) : (known ?? answered);
  const { flow, dropped, secrets, writer } = recording?.finish() ?? buildEmptyRecord();
  const statusCode = res.headersSent ? toStatus(readSentStatus(res)) : undefined;
  return {
    _id: createUuidV7(startMicros / 1000),
    traceId: trace.traceId,
    spanId: createSpanId(),
    parentSpanId: trace.parent?.spanId,
    request,
    response: { statusCode, ...response },
    timing: { startTime: formatInstant(startMicros), duration: roundMilliseconds(end.nowMs - trace.startMs) },
    performance: buildPerformancePart(trace, end),
    error: buildErrorPart(failure, statusCode),
    user: trace.user,
    sessionId: trace.sessionId,
    attributes: buildAttributesPart(trace, end),
    sources: end.sources?.collect(flow),
    flow: withAuthorsStacks(flow, writer?.stacks ?? null),
    secrets,
    writer,
    dropped,
    leavesOutMessages: end.withValues && !end.withMessages,
  };
}

/** Returns the status if HTTP allows it; otherwise undefined. */
function toStatus(sent: number): number | undefined {
  return Number.isInteger(sent) && sent >= 100 && sent <= 999 ? sent : undefined;
}

function buildEmptyRecord(): Finished {
  return {
    flow: [],
    secrets: new Set(),
    writer: null,
    dropped: { steps: 0, values: 0, bytes: 0 },
  };
}

function requestPart(trace: RequestTrace, end: TraceEnd, isRead: boolean): WireTrace['request'] {
  const { req } = trace;
  const secure = req.socket?.encrypted === true;
  const target = parseTarget(trace.target, readRequestHeader(req, 'host'), secure);
  // The host can replace the method by any value.
  const method: unknown = req.method;
  const route = trace.routeWithOperations;
  const userAgent = readRequestHeader(req, 'user-agent');
  const url = trace.shorten(target.url, MAX_LENGTHS.url);
  const plain = {
    method: trace.shorten(
      typeof method === 'string' && method !== '' ? method : trace.method,
      MAX_LENGTHS.method,
    ),
    path: trace.shorten(target.path, MAX_LENGTHS.path),
    route: route === undefined ? undefined : trace.shorten(route, MAX_LENGTHS.path),
    ip: trace.ip ?? readRemoteAddress(req),
    userAgent: userAgent === undefined ? undefined : trace.shorten(userAgent, MAX_LENGTHS.userAgent),
  };
  if (!end.withHeaders) return { ...plain, url: url.split('?', 1)[0] };
  const query = target.query === '' ? {} : parseForm(target.query);
  if (!isRead) return { ...plain, url, headers: {}, query, body: trace.requestBody?.leftOut };
  const headed = { ...plain, url, headers: requestHeaders(req), query };
  if (!end.withValues) return headed;
  return {
    ...headed,
    body: trace.requestBody?.view(
      readRequestHeader(req, 'content-type'),
      readRequestHeader(req, 'content-encoding'),
      trace.shorten,
    ),
  };
}

/** Returns the error in the response body of a GraphQL operation, even if the response's status is a success. */
function findFailureInAnswer(
  trace: RequestTrace,
  request: WireTrace['request'],
  response: Pick<WireTrace['response'], 'body'>,
): StepError | undefined {
  if (!mayCarryOperation(trace.req, trace.target)) return undefined;
  const found = findErrorInAnswer(request.body ?? request.query, response.body, trace.shorten);
  if (found !== undefined) annotatePath(trace, found.path);
  return found?.error;
}

function buildResponsePart(
  trace: RequestTrace,
  end: TraceEnd,
  isRead: boolean,
): Pick<WireTrace['response'], 'headers' | 'body'> {
  if (!end.withHeaders) return {};
  if (!isRead) return { headers: {}, body: trace.responseBody?.leftOut };
  const headers = readResponseHeaders(trace.res);
  if (!end.withValues) return { headers };
  const type = takeSingle(headers['content-type']);
  const encoding = takeSingle(headers['content-encoding']);
  return { headers, body: trace.responseBody?.view(type, encoding, trace.shorten) };
}

function buildPerformancePart(trace: RequestTrace, end: TraceEnd): WireTrace['performance'] {
  const { heapUsed, cpuUsage, eventLoopDelay } = measurePerformance(trace.machine, trace.startMs, end.nowMs);
  return { memoryUsage: { heapUsed }, cpuUsage, eventLoopDelay };
}

function buildErrorPart(error: StepError | undefined, statusCode: number | undefined): WireTrace['error'] {
  if (error !== undefined) {
    return { hasError: true, errorMessage: error.message, errorCode: error.code ?? error.name ?? null };
  }
  if (statusCode === undefined || statusCode < 500)
    return { hasError: false, errorMessage: null, errorCode: null };
  const meaning = STATUS_CODES[statusCode] ?? 'server error';
  return { hasError: true, errorMessage: `${statusCode} ${meaning}`, errorCode: String(statusCode) };
}

/**
 * Returns the host's and the SDK's attributes of this trace. The SDK's names begin with `throughline.` or `graphql.`, so that they do not
 * collide with the host's names.
 */
function buildAttributesPart(trace: RequestTrace, end: TraceEnd): CapturedRecord | undefined {
  if (!trace.res.writableFinished && end.unfinished !== true) trace.annotate('throughline.aborted', true);
  if (end.unfinished === true) trace.annotate('throughline.unfinished', true);
  if (end.unsampled !== undefined) trace.annotate('throughline.unsampled', end.unsampled);
  return trace.attributes ?? undefined;
}

function roundMilliseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
