import type { IncomingHttpHeaders } from 'node:http';

/** Whom a request came from. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly encrypted?: boolean;
}

/** What a trace reads of a request: Node's own of HTTP/1, or a view of an HTTP/2 stream. */
export interface TracedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Peer;
}

/** What a trace reads of a response: Node's own of HTTP/1, a view of an HTTP/2 stream, or an upgraded connection's. */
export interface TracedResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  /** Those set so far. */
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}
