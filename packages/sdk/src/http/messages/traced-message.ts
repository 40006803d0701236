import type { IncomingHttpHeaders } from 'node:http';

/** Whom a request came from. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly encrypted?: boolean;
}

/** The parts of a request that a trace reads: Node's own for HTTP/1, or a view of an HTTP/2 stream. */
export interface TracedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Peer;
}

/** The parts of a response that a trace reads: Node's own for HTTP/1, a view of an HTTP/2 stream, or of an upgraded connection. */
export interface TracedResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  /** The headers set so far. */
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}
