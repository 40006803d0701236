import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { withReferred } from '@throughline/contract/captured';
import type { Posted, PostedTrace } from './posted.ts';

const tracesPath = '/api/ingest/traces';
const patienceMs = 10_000;

/**
 * A received request. It is decompressed and parsed only when its content is read, so that a benchmark's collector takes no CPU time from
 * the measured code.
 */
export class Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly packed: Buffer;
  readonly #response: ServerResponse;
  #posted: Posted | undefined;

  constructor(request: IncomingMessage, packed: Buffer, response: ServerResponse) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.packed = packed;
    this.#response = response;
  }

  /** The decompressed body. */
  get bytes(): Buffer {
    const encoding = this.headers['content-encoding'];
    if (encoding === 'gzip') return gunzipSync(this.packed);
    if (encoding === 'zstd') return zstdDecompressSync(this.packed);
    return encoding === 'deflate' ? inflateSync(this.packed) : this.packed;
  }

  /** The parsed body of a request that sends traces. Throws if the body is not JSON. */
  get posted(): Posted {
    const posted: Posted = this.#posted ?? JSON.parse(this.bytes.toString());
    this.#posted = posted;
    return posted;
  }

  get isTraces(): boolean {
    return this.method === 'POST' && this.path === tracesPath;
  }

  /** True if the collector responded with status 200. */
  get stored(): boolean {
    return this.#response.writableEnded && this.#response.statusCode === 200;
  }
}

const shown = new WeakMap<PostedTrace, PostedTrace>();

function withAllReferred(trace: PostedTrace): PostedTrace {
  const known = shown.get(trace);
  if (known !== undefined) return known;
  const byId = new Map(trace.flow.map((step) => [step.stepId, step]));
  const made = { ...trace, flow: trace.flow.map((step) => withReferred(step, (id) => byId.get(id))) };
  shown.set(trace, made);
  return made;
}

/** Responds to a request immediately, later or never. `nth` is the number of the request, counted from 1. */
export type Reply = (response: ServerResponse, received: Received, nth: number) => void;

/** Accepts all requests that send traces, except invalid JSON (400). Responds with 404 to any other request. */
export const storeAll: Reply = (response, received) => {
  if (!received.isTraces) return answer(response, 404, { error: { code: 'not_found' } });
  let accepted: number;
  try {
    accepted = received.posted.traces.length;
  } catch (error) {
    return answer(response, 400, { error: { code: 'invalid_json', message: String(error) } });
  }
  answer(response, 200, { accepted, rejected: [] });
};

/** Sends a complete response. A string is sent unchanged, any other value as JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A local HTTP server that accepts and stores traces as the product does. Tests can set its responses. */
export class Collector {
  /** Requests with a complete body in order of arrival, regardless of the response to them. */
  readonly received: Received[] = [];
  reply: Reply;
  /** The collector's URL, which stays the same after a stop. */
  url = '';
  /** Number of body bytes received so far, including those of incomplete requests. */
  bytes = 0;
  #count = 0;
  readonly #server: Server;

  constructor(reply: Reply = storeAll) {
    this.reply = reply;
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  /** Starts to listen, by default on a free port. Resolves with the URL. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, '127.0.0.1', done);
    });
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the collector has no port');
    this.url = `http://127.0.0.1:${address.port}`;
    return this.url;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  /** Ids of all received traces in order of arrival, regardless of the response. */
  ids(): string[] {
    return this.received
      .filter((one) => one.isTraces)
      .flatMap(({ posted }) => posted.traces.map(({ _id }) => _id));
  }

  /** Returns the requests that arrived since the last call, and removes them. */
  take(): Received[] {
    return this.received.splice(0);
  }

  /** Bodies of the requests that sent traces and got a successful response. */
  get bodies(): Posted[] {
    return this.received.filter((one) => one.isTraces && one.stored).map((one) => one.posted);
  }

  /** The API keys of the successful requests. */
  get keys(): Set<unknown> {
    return new Set(this.received.filter((one) => one.stored).map((one) => one.headers['x-api-key']));
  }

  /** The stored traces. References are replaced by the values to which they refer. */
  get traces(): PostedTrace[] {
    return this.bodies.flatMap((body) => body.traces.map(withAllReferred));
  }

  /** Waits for the first trace of a path. */
  async trace(path: string): Promise<PostedTrace> {
    const [trace] = await this.awaitTraces(path, 1);
    if (trace === undefined) throw new Error(`no trace of ${path}`);
    return trace;
  }

  /** Waits for at least `count` traces of a path. */
  async awaitTraces(path: string, count: number): Promise<PostedTrace[]> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const found = this.traces.filter((trace) => trace.request.path === path);
      if (found.length >= count) return found;
      if (Date.now() > until) throw new Error(`${found.length} of ${count} traces of ${path} arrived`);
      await new Promise((wait) => setTimeout(wait, 20));
    }
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    // Ignores the error of a request that breaks off, which is therefore never added to `received`.
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      const received = new Received(request, Buffer.concat(chunks), response);
      this.received.push(received);
      this.#count++;
      this.reply(response, received, this.#count);
    });
  }
}
