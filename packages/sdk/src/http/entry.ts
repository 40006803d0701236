import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { type Recording, runRecording } from '../record/recording.ts';
import { reportFault } from '../report.ts';
import { replaceMethod, watchRequests, watchResponses } from './messages.ts';
import { openHandler } from './plain-handler.ts';
import { RequestTrace, requestTraceOf, stamp } from './request-trace.ts';
import { isSampled } from './sampling.ts';

/** What the entry asks of the rest of the SDK. */
export interface EntryHost {
  /** Nothing is watched while false: capture is off, or the SDK was shut down. */
  readonly on: boolean;
  readonly sampleRate: number;
  /** Bytes kept of each body; 0 where values are not captured. */
  readonly bodyBytes: number;
  newRecording(): Recording;
  begin(trace: RequestTrace): void;
  /** Once a request, when its response is done with or its client is gone. */
  end(trace: RequestTrace): void;
}

let installed = false;

/**
 * Watches each request of every http and https server of this process, made before or after. `Server.prototype.emit` says when one arrives,
 * `ServerResponse.prototype.emit` when it is done with; `push`, `write` and `end` see the bodies pass. No listener is added to the
 * host's objects, and no stream is read from.
 */
export function installEntry(host: EntryHost): void {
  if (installed) return;
  installed = true;
  watchRequests(IncomingMessage.prototype);
  watchResponses(ServerResponse.prototype, (trace) => end(host, trace));
  watchServers(Server.prototype, host);
  watchServers(SecureServer.prototype, host);
}

function watchServers(prototype: Server, host: EntryHost): void {
  replaceMethod(
    prototype,
    'emit',
    (emit) =>
      function (...args) {
        const [event, req, res] = args;
        if ((event !== 'request' && event !== 'checkContinue') || !host.on) return emit.apply(this, args);
        const recording = begin(host, req, res)?.recording;
        if (!recording) return emit.apply(this, args);
        const handler = openHandler(recording, this, event);
        // As few calls of ours as can be: they stand in the host's stack traces.
        const call = () => emit.apply(this, args);
        return runRecording(recording, handler === null ? call : () => recording.within(handler, call));
      },
  );
}

function begin(host: EntryHost, req: unknown, res: unknown): RequestTrace | undefined {
  try {
    if (!(req instanceof IncomingMessage) || !(res instanceof ServerResponse)) return undefined;
    // A server that hands a request on to another (`other.emit('request', req, res)`) does not begin a second one.
    if (requestTraceOf(req) !== undefined) return undefined;
    const recording = isSampled(host.sampleRate, req) ? host.newRecording() : null;
    const trace = new RequestTrace(req, res, recording, recording === null ? 0 : host.bodyBytes);
    stamp(req, trace);
    stamp(res, trace);
    host.begin(trace);
    return trace;
  } catch (error) {
    reportFault('Watching a request', error);
    return undefined;
  }
}

function end(host: EntryHost, trace: RequestTrace): void {
  if (trace.ended) return;
  trace.ended = true;
  try {
    host.end(trace);
  } catch (error) {
    reportFault('Ending a trace', error);
  }
}
