import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as AnyServer } from 'node:net';
import { isObject } from '../internal/is-object.ts';
import { onHttpsLoad } from '../internal/node-https.ts';
import { reportFault, runGuarded } from '../internal/report.ts';
import { monotonicMs } from '../internal/timers.ts';
import { runRecording } from '../record/async/work-context.ts';
import type { Recording } from '../record/recording.ts';
import {
  getServerStream,
  isServerStream,
  patchStreamClass,
  StreamRequest,
  StreamResponse,
} from './hooks/http2-stream.ts';
import { patchEvents, patchIncoming, patchOutgoing, replaceMethod } from './hooks/patch-messages.ts';
import { isUpgradeSocket, patchUpgrade, UpgradeResponse } from './hooks/upgrade.ts';
import { readSentStatus } from './messages/headers.ts';
import type { TracedRequest, TracedResponse } from './messages/traced-message.ts';
import { holdUntilAnswered, openHandler } from './plain-handler.ts';
import { RequestEnds } from './trace/after-response.ts';
import { runInRequest } from './trace/request-context.ts';
import { attachTrace, findRequestTrace, RequestTrace } from './trace/request-trace.ts';

/** The functions of the SDK that the HTTP hooks call. */
export interface EntryHost {
  /** False while no requests are traced: capture is off, recording is paused, or the SDK was shut down. */
  readonly on: boolean;
  /** Called when a request arrives while `on` is false. Never throws. */
  missed(): void;
  /** True if the request must be recorded with steps. */
  samples(req: TracedRequest): boolean;
  /** Maximum number of bytes stored per body; 0 if values are not captured. */
  readonly bodyBytes: number;
  /** Creates a recording; null if the memory limit leaves no space for one. */
  newRecording(): Recording | null;
  readonly active: Iterable<RequestTrace>;
  begin(trace: RequestTrace): void;
  /**
   * Called once per request: when its response is finished or its client has disconnected, and the functions that it called have ended.
   * Called earlier if the response streams too long.
   */
  end(trace: RequestTrace): void;
}

let ends: RequestEnds | undefined;
let entryHost: EntryHost | undefined;

/**
 * Traces each request of all http, https and http2 servers of this process, existing and future ones. A hook on `Server.prototype.emit`
 * detects requests, a hook on `emit` of responses and streams detects the end of requests, and hooks on `push`, `write` and `end` see the
 * bodies. No listener is added to host objects, and no stream is read.
 */
export function installEntry(host: EntryHost): void {
  if (ends !== undefined) return;
  ends = new RequestEnds(host);
  entryHost = host;
  patchIncoming(IncomingMessage.prototype);
  patchEvents(IncomingMessage.prototype);
  patchOutgoing(ServerResponse.prototype);
  patchEvents(ServerResponse.prototype, close);
  patchServers(Server.prototype, host);
  onHttpsLoad((https) => patchServers(https.Server.prototype, host));
  // HTTP/2 servers inherit from `Server` of `node:net`. The class of an HTTP/2 server is accessible only by loading `node:http2`.
  patchServers(AnyServer.prototype, host);
}

/** Ends, without waiting, the requests whose response is finished but whose functions have not ended. */
export function settleRequests(): void {
  ends?.settle();
}

/**
 * Begins the trace of a request that is injected into a server's handler, without a connection to the server. Returns undefined if the
 * request is not traced.
 */
export function beginInjected(req: TracedRequest, res: ServerResponse): RequestTrace | undefined {
  if (entryHost === undefined || findRequestTrace(req) !== undefined) return undefined;
  if (entryHost.on) return begin(entryHost, req, viewInjected(res), [req, res]);
  entryHost.missed();
  return undefined;
}

/** Returns a view of an injected response that reports `writableEnded` as `writableFinished`, which is still false on `close`. */
function viewInjected(res: ServerResponse): TracedResponse {
  return Object.create(res, { writableFinished: { get: () => res.writableEnded } });
}

function patchServers(prototype: AnyServer, host: EntryHost): void {
  replaceMethod(
    prototype,
    'emit',
    (emit) =>
      function (...args) {
        const [event] = args;
        if (typeof event !== 'string' || !isArrival(event)) return emit.apply(this, args);
        if (!host.on) {
          host.missed();
          return emit.apply(this, args);
        }
        const trace = beginTrace(host, args);
        if (trace === undefined) return emit.apply(this, args);
        const { recording } = trace;
        const handler =
          recording && (runGuarded('Starting a step', () => openHandler(recording, this, event)) ?? null);
        // The host's handler runs inside the calls below, so each further SDK function here adds a frame to the host's stack traces.
        const call = () => emit.apply(this, args);
        if (recording === null || handler === null) return runInRequest(trace, call);
        const heard = runRecording(recording, () => recording.within(handler, call));
        runGuarded('Keeping a handler open until the response', () => holdUntilAnswered(trace, handler));
        return heard;
      },
  );
}

/**
 * True for events that deliver a request. HTTP/2 emits a `stream` event and, for hosts that use the HTTP/1 API, a `request` event for the
 * same stream.
 */
function isArrival(event: string): boolean {
  switch (event) {
    case 'request':
    case 'checkContinue':
    case 'checkExpectation':
    case 'stream':
    case 'upgrade':
    case 'connect':
      return true;
    default:
      return false;
  }
}

/**
 * Begins the trace of the request that a server event delivers. Returns undefined for requests already traced, and for events of servers
 * that are not HTTP servers.
 */
function beginTrace(host: EntryHost, [event, first, second]: unknown[]): RequestTrace | undefined {
  try {
    if (event === 'stream') return isServerStream(first) ? beginStream(host, first, second) : undefined;
    if (!(first instanceof IncomingMessage)) return onStream(first, second);
    // A server that forwards a request to another server (`other.emit('request', req, res)`) does not begin a second trace.
    if (findRequestTrace(first) !== undefined) return undefined;
    if (event === 'upgrade' || event === 'connect') return beginUpgrade(host, first, second);
    return second instanceof ServerResponse ? begin(host, first, second, [first, second]) : undefined;
  } catch (error) {
    reportFault('Recording a request', error);
    return undefined;
  }
}

function begin(
  host: EntryHost,
  req: TracedRequest,
  res: TracedResponse,
  messages: readonly object[],
): RequestTrace {
  const isSampled = host.samples(req);
  const recording = isSampled ? host.newRecording() : null;
  const trace = new RequestTrace(req, res, recording, recording === null ? 0 : host.bodyBytes);
  trace.lacksMemory = isSampled && recording === null;
  for (const message of messages) attachTrace(message, trace);
  if (recording !== null) ends?.opened();
  host.begin(trace);
  return trace;
}

function beginStream(host: EntryHost, stream: unknown, headers: unknown): RequestTrace | undefined {
  if (!isServerStream(stream) || typeof headers !== 'object' || headers === null) return undefined;
  if (findRequestTrace(stream) !== undefined) return undefined;
  patchStreamClass(stream, close);
  return begin(host, new StreamRequest(stream, headers), new StreamResponse(stream), [stream]);
}

/**
 * Attaches the trace of an HTTP/2 stream to the stream's HTTP/1 request and response, and returns the trace. Returns undefined if the
 * stream has no trace, or if the trace is attached already.
 */
function onStream(req: unknown, res: unknown): RequestTrace | undefined {
  const stream = getServerStream(req);
  const trace = stream && findRequestTrace(stream);
  if (trace === undefined || !isObject(req) || !isObject(res)) return undefined;
  if (findRequestTrace(req) !== undefined) return undefined;
  attachTrace(req, trace);
  attachTrace(res, trace);
  return trace;
}

function beginUpgrade(host: EntryHost, req: IncomingMessage, socket: unknown): RequestTrace | undefined {
  if (!isUpgradeSocket(socket)) return undefined;
  const response = new UpgradeResponse();
  const trace = begin(host, req, response, [req]);
  patchUpgrade(socket, response, () => {
    trace.answered();
    close(trace);
  });
  return trace;
}

/** Called when a request's response is finished or its client has disconnected. */
function close(trace: RequestTrace): void {
  if (trace.ended || trace.closedMs !== undefined) return;
  trace.closedMs = monotonicMs();
  if (!trace.res.headersSent) trace.res = unanswered;
  if (isBodiless(trace)) trace.responseBody = null;
  ends?.closed(trace);
}

/**
 * Replaces the response if the client disconnected before the response's head was sent: the client receives nothing that the host writes
 * afterwards.
 */
const unanswered: TracedResponse = {
  statusCode: 0,
  headersSent: false,
  writableEnded: false,
  writableFinished: false,
  getHeaders: () => ({}),
};

/** True if the response has no body: no head was sent, or the method or the status excludes a body (RFC 9110, section 6.4.1). */
function isBodiless({ req, res }: RequestTrace): boolean {
  const statusCode = readSentStatus(res);
  return (
    !res.headersSent ||
    req.method === 'HEAD' ||
    statusCode === 204 ||
    statusCode === 304 ||
    (statusCode >= 100 && statusCode < 200)
  );
}
