import * as http from 'node:http';
import { loadHttps, whenHttpsLoads } from '../../outgoing/node-https.ts';
import { clearTimeout, setTimeout } from '../../runtime/timers.ts';
import { pack } from './compress.ts';
import type { Answer } from './outcome.ts';
import { makePoster, type Post, type PostHeaders } from './poster.ts';

/** Where traces go and with which key. */
export interface Target {
  /** The whole address, `…/api/ingest/traces`. */
  readonly url: URL;
  readonly apiKey: string;
  readonly userAgent: string;
}

/** Requests under way at a time. */
export const CONNECTIONS = 4;
/** How connections are kept between requests. */
export const AGENT_OPTIONS = { keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'lifo' } as const;

// As it was when the SDK was loaded: what the host puts in its place later (tracing, test doubles) is meant for its own requests.
const httpRequest = http.request;

/** Keeps connections to a server open between requests, without keeping the process alive. What they need is loaded for the first request. */
export class Connections {
  readonly target: Target;
  readonly post: Post;
  #request = httpRequest;
  #agent: http.Agent | undefined;

  constructor(target: Target) {
    this.target = target;
    this.post = makePoster({
      open: (headers) => this.#open(headers),
      compress: (json, plainly, done) => {
        pack(json, plainly).then(done, (error: unknown) => done(undefined, error));
      },
      setTimeout,
      clearTimeout,
    });
    if (this.#isSecure) {
      whenHttpsLoads(({ request }) => {
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

/** `key` names the batch, so that it is stored once however often it is sent; a body without traces has none. */
export function headersFor(target: Target, key: string | undefined): PostHeaders {
  return {
    'content-type': 'application/json',
    'x-api-key': target.apiKey,
    ...(key !== undefined && { 'idempotency-key': key }),
    'user-agent': target.userAgent,
  };
}

/** Posts one body, compressed. Never rejects: a connection that fails is an answer with status 0. */
export function post(
  connections: Connections,
  key: string | undefined,
  json: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve) => {
    const bytes = typeof json === 'string' ? Buffer.from(json) : json;
    connections.post(headersFor(connections.target, key), bytes, resolve);
  });
}
