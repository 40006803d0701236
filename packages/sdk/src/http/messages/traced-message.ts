import type { IncomingHttpHeaders } from 'node:http';

/** The client's side of the connection. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly encrypted?: boolean;
}

/** The parts of a request that a trace reads. Implemented by Node's class for HTTP/1 and by a view of an HTTP/2 stream. */
export interface TracedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Peer;
}

/**
 * The parts of a response that a trace reads. Implemented by Node's class for HTTP/1 and by views of an HTTP/2 stream and of an upgraded
 * connection.
 */
export interface TracedResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  /** Returns the headers set so far. */
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}
