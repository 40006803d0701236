import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as AnyServer } from 'node:net';
import { guarded, reportFault } from '../internal/report.ts';
import { whenHttpsLoads } from '../outgoing/node-https.ts';
import { runRecording } from '../record/async/work-context.ts';
import type { Recording } from '../record/recording.ts';
import { monotonicMs } from '../runtime/timers.ts';
import { sentStatus } from './messages/headers.ts';
import {
  getServerStream,
  isServerStream,
  StreamRequest,
  StreamResponse,
  watchStreams,
} from './messages/http2-stream.ts';
import { replaceMethod, watchEvents, watchIncoming, watchOutgoing } from './messages/messages.ts';
import type { TracedRequest, TracedResponse } from './messages/traced-message.ts';
import { isUpgradeSocket, UpgradeResponse, watchUpgrade } from './messages/upgrade.ts';
import { holdUntilAnswered, openHandler } from './plain-handler.ts';
import { RequestEnds } from './trace/after-response.ts';
import { findRequestTrace, RequestTrace, stamp } from './trace/request-trace.ts';

/** The calls from the entry point to the rest of the SDK. */
export interface EntryHost {
  /** Nothing is watched while false: capture is off, or the SDK was shut down. */
  readonly on: boolean;
  /** A request came while nothing is watched. Never throws. */
  missed(): void;
  /** True if the request is recorded with its steps. */
  samples(req: TracedRequest): boolean;
  /** Bytes kept of each body; 0 where values are not captured. */
  readonly bodyBytes: number;
  /** Null where there is no room for one. */
  newRecording(): Recording | null;
  /** The requests that are recorded. */
  readonly active: Iterable<RequestTrace>;
  begin(trace: RequestTrace): void;
  /** Once a request, when its response is done with or its client is gone, and its work is over. */
  end(trace: RequestTrace): void;
}

let ends: RequestEnds | undefined;
let entryHost: EntryHost | undefined;

/**
 * Watches each request of every http, https and http2 server of this process, made before or after. `Server.prototype.emit` says when one arrives,
 * the `emit` of its response or stream when it is done with; `push`, `write` and `end` see the bodies pass. No listener is added to the
 * host's objects, and no stream is read from.
 */
export function installEntry(host: EntryHost): void {
  if (ends !== undefined) return;
  ends = new RequestEnds(host);
  entryHost = host;
  watchIncoming(IncomingMessage.prototype);
  watchEvents(IncomingMessage.prototype);
  watchOutgoing(ServerResponse.prototype);
  watchEvents(ServerResponse.prototype, close);
  watchServers(Server.prototype, host);
  whenHttpsLoads((https) => watchServers(https.Server.prototype, host));
  // HTTP/2 servers inherit from this class; their own classes are reachable only by loading them.
  watchServers(AnyServer.prototype, host);
}

/** Ends at once the requests that have their response and were waiting for work after it. */
export function settleRequests(): void {
  ends?.settle();
}

/** A request that no server brings: something calls a server's handler with it. Undefined where it is not watched. */
export function beginInjected(req: TracedRequest, res: ServerResponse): RequestTrace | undefined {
  if (entryHost === undefined || findRequestTrace(req) !== undefined) return undefined;
  if (entryHost.on) return begin(entryHost, req, injectedView(res), [req, res]);
  entryHost.missed();
  return undefined;
}

/** Such a response has a socket that takes nothing: Node never says that it was written whole. */
function injectedView(res: ServerResponse): TracedResponse {
  return Object.create(res, { writableFinished: { get: () => res.writableEnded } });
}

function watchServers(prototype: AnyServer, host: EntryHost): void {
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
        const trace = arrive(host, args);
        const recording = trace?.recording;
        if (!recording) return emit.apply(this, args);
        const handler = guarded('Opening a step', () => openHandler(recording, this, event)) ?? null;
        // As few calls of ours as can be: they stand in the host's stack traces.
        const call = () => emit.apply(this, args);
        if (handler === null) return runRecording(recording, call);
        const heard = runRecording(recording, () => recording.within(handler, call));
        guarded('Watching a handler', () => holdUntilAnswered(trace, handler));
        return heard;
      },
  );
}

/** The events that bring a request. HTTP/2 brings a stream, and then for hosts that want HTTP/1's objects a request on that stream. */
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

/** The request that an event of a server brings. Undefined for one that is known already, and for events of other servers. */
function arrive(host: EntryHost, [event, first, second]: unknown[]): RequestTrace | undefined {
  try {
    if (event === 'stream') return isServerStream(first) ? beginStream(host, first, second) : undefined;
    if (!(first instanceof IncomingMessage)) return onStream(first, second);
    // A server that hands a request on to another (`other.emit('request', req, res)`) does not begin a second one.
    if (findRequestTrace(first) !== undefined) return undefined;
    if (event === 'upgrade' || event === 'connect') return beginUpgrade(host, first, second);
    return second instanceof ServerResponse ? begin(host, first, second, [first, second]) : undefined;
  } catch (error) {
    reportFault('Watching a request', error);
    return undefined;
  }
}

function begin(
  host: EntryHost,
  req: TracedRequest,
  res: TracedResponse,
  messages: readonly object[],
): RequestTrace {
  const recording = host.samples(req) ? host.newRecording() : null;
  const trace = new RequestTrace(req, res, recording, recording === null ? 0 : host.bodyBytes);
  for (const message of messages) stamp(message, trace);
  if (recording !== null) ends?.opened();
  host.begin(trace);
  return trace;
}

function beginStream(host: EntryHost, stream: unknown, headers: unknown): RequestTrace | undefined {
  if (!isServerStream(stream) || typeof headers !== 'object' || headers === null) return undefined;
  if (findRequestTrace(stream) !== undefined) return undefined;
  watchStreams(stream, close);
  return begin(host, new StreamRequest(stream, headers), new StreamResponse(stream), [stream]);
}

/** HTTP/1's form of a request that its stream brought before. */
function onStream(req: unknown, res: unknown): RequestTrace | undefined {
  const stream = getServerStream(req);
  const trace = stream && findRequestTrace(stream);
  if (trace === undefined || !isObject(req) || !isObject(res)) return undefined;
  if (findRequestTrace(req) !== undefined) return undefined;
  stamp(req, trace);
  stamp(res, trace);
  return trace;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function beginUpgrade(host: EntryHost, req: IncomingMessage, socket: unknown): RequestTrace | undefined {
  if (!isUpgradeSocket(socket)) return undefined;
  const response = new UpgradeResponse();
  const trace = begin(host, req, response, [req]);
  watchUpgrade(socket, response, () => {
    trace.answered();
    close(trace);
  });
  return trace;
}

/** A request's response is done with, or its client gone. */
function close(trace: RequestTrace): void {
  if (trace.ended || trace.closedMs !== undefined) return;
  trace.closedMs = monotonicMs();
  if (!trace.res.headersSent) trace.res = unanswered;
  if (isBodiless(trace)) trace.responseBody = null;
  ends?.closed(trace);
}

/** The response of a request whose client is gone: nobody receives what the host writes. */
const unanswered: TracedResponse = {
  statusCode: 0,
  headersSent: false,
  writableEnded: false,
  writableFinished: false,
  getHeaders: () => ({}),
};

/** RFC 9110, section 6.4.1. */
function isBodiless({ req, res }: RequestTrace): boolean {
  const statusCode = sentStatus(res);
  return (
    !res.headersSent ||
    req.method === 'HEAD' ||
    statusCode === 204 ||
    statusCode === 304 ||
    (statusCode >= 100 && statusCode < 200)
  );
}
