import * as http from 'node:http';
import { loadHttps, onHttpsLoad } from '../../internal/node-https.ts';
import { clearTimeout, setTimeout } from '../../internal/timers.ts';
import { compressBody } from './compress.ts';
import type { Answer } from './outcome.ts';
import { makePoster, type Post, type PostHeaders } from './poster.ts';

/** The URL to which traces are sent, and the API key. */
export interface Target {
  /** The complete URL, `…/api/ingest/traces`. */
  readonly url: URL;
  readonly apiKey: string;
  readonly userAgent: string;
}

/** Maximum number of requests in flight. */
export const CONNECTIONS = 4;
/** Options that determine how connections are reused between requests. */
export const AGENT_OPTIONS = { keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'lifo' } as const;

// The original function, saved when the SDK was loaded. If the host replaces it later, for example with a test double, the replacement is
// meant only for the host's own requests.
const httpRequest = http.request;

/** Keeps connections to a server open between requests, without keeping the process alive. */
export class Connections {
  readonly target: Target;
  readonly post: Post;
  #request = httpRequest;
  #agent: http.Agent | undefined;

  constructor(target: Target) {
    this.target = target;
    this.post = makePoster({
      open: (headers) => this.#open(headers),
      compress: (json, gzipOnly, done) => {
        compressBody(json, gzipOnly).then(done, (error: unknown) => done(undefined, error));
      },
      setTimeout,
      clearTimeout,
    });
    if (this.#isSecure) {
      onHttpsLoad(({ request }) => {
        this.#request = request;
      });
    }
  }

  get #isSecure(): boolean {
    return this.target.url.protocol === 'https:';
  }

  #open(headers: PostHeaders): http.ClientRequest {
    this.#agent ??= this.#isSecure ? new (loadHttps().Agent)(AGENT_OPTIONS) : new http.Agent(AGENT_OPTIONS);
    return this.#request(this.target.url, { method: 'POST', agent: this.#agent, headers });
  }

  close(): void {
    this.#agent?.destroy();
  }
}

/**
 * Returns the headers of a request. `key` identifies the batch, so that the server stores it only once, however often it is sent. A body
 * without traces has no key.
 */
export function buildHeaders(target: Target, key: string | undefined): PostHeaders {
  return {
    'content-type': 'application/json',
    'x-api-key': target.apiKey,
    ...(key !== undefined && { 'idempotency-key': key }),
    'user-agent': target.userAgent,
  };
}

/** Posts one body, compressed. Never rejects: if the connection fails, resolves to a response with status 0. */
export function post(
  connections: Connections,
  key: string | undefined,
  json: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve) => {
    const bytes = typeof json === 'string' ? Buffer.from(json) : json;
    connections.post(buildHeaders(connections.target, key), bytes, resolve);
  });
}
