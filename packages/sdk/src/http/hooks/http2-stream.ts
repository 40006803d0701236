import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Peer, TracedRequest, TracedResponse } from '../messages/traced-message.ts';
import type { RequestTrace } from '../trace/request-trace.ts';
import { patchEvents, patchIncoming, patchOutgoing } from './patch-messages.ts';

/** True for a stream of an HTTP/2 server. Detected by its methods, because `node:http2` must be loaded only by the host. */
export function isServerStream(value: unknown): value is ServerHttp2Stream {
  return (
    typeof value === 'object' &&
    value !== null &&
    'respond' in value &&
    typeof value.respond === 'function' &&
    'pushStream' in value &&
    'session' in value
  );
}

/** Returns the HTTP/2 stream of a request or response object that has the form of HTTP/1; undefined for other values. */
export function getServerStream(message: unknown): EventEmitter | undefined {
  if (typeof message !== 'object' || message === null || !('stream' in message)) return undefined;
  return isServerStream(message.stream) ? message.stream : undefined;
}

const patched = new WeakSet<object>();

/** Hooks the class of the first stream seen, which covers all streams of this class. The class is accessible only through a stream. */
export function patchStreamClass(stream: ServerHttp2Stream, onClose: (trace: RequestTrace) => void): void {
  const prototype: unknown = Object.getPrototypeOf(stream);
  if (!isStreamPrototype(prototype) || patched.has(prototype)) return;
  patched.add(prototype);
  patchIncoming(prototype);
  patchOutgoing(prototype);
  patchEvents(prototype, onClose);
}

type StreamPrototype = Pick<ServerHttp2Stream, 'push' | 'write' | 'end' | keyof EventEmitter>;

function isStreamPrototype(value: unknown): value is StreamPrototype {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['push', 'write', 'end', 'emit'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

/** The request of an HTTP/2 stream. `headers` come from the event that delivered the stream. */
export class StreamRequest implements TracedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly socket: Peer;
  readonly #received: object;
  #headers: IncomingHttpHeaders | undefined;

  constructor(stream: ServerHttp2Stream, headers: object) {
    this.method = readText(headers, ':method');
    // A CONNECT request has no path, only an authority.
    this.url = readText(headers, ':path') ?? readText(headers, ':authority');
    const { session } = stream;
    this.socket = {
      remoteAddress: session?.socket.remoteAddress,
      encrypted: session?.encrypted === true,
    };
    this.#received = headers;
  }

  /** Headers by name as in HTTP/1: without pseudo-headers, with the authority as `host`. */
  get headers(): IncomingHttpHeaders {
    if (this.#headers === undefined) {
      const host = readText(this.#received, ':authority');
      const plain = Object.entries(this.#received).filter(([name]) => !name.startsWith(':'));
      this.#headers = { ...(host !== undefined && { host }), ...Object.fromEntries(plain) };
    }
    return this.#headers;
  }
}

function readText(headers: object, name: string): string | undefined {
  const value: unknown = Reflect.get(headers, name);
  return typeof value === 'string' ? value : undefined;
}

/** The response of an HTTP/2 stream, for both of Node's HTTP/2 APIs. */
export class StreamResponse implements TracedResponse {
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get statusCode(): number {
    return Number(this.#stream.sentHeaders?.[':status'] ?? 0);
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  get writableEnded(): boolean {
    return this.#stream.writableEnded;
  }

  /** Node also reports a stream as finished if its client has reset it. */
  get writableFinished(): boolean {
    return this.#stream.writableFinished && !this.#stream.aborted;
  }

  getHeaders(): OutgoingHttpHeaders {
    const sent = Object.entries(this.#stream.sentHeaders ?? {});
    return Object.fromEntries(sent.filter(([name]) => !name.startsWith(':')));
  }
}
