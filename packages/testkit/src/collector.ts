import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { withReferred } from '@throughline/contract';
import type { Posted, PostedTrace } from './posted.ts';

const tracesPath = '/api/ingest/traces';
const patienceMs = 10_000;

/** One request as it came. Unpacked and read when somebody looks: a benchmark's collector must not compete with what is measured. */
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

  /** The body's bytes, unpacked. */
  get bytes(): Buffer {
    const encoding = this.headers['content-encoding'];
    if (encoding === 'gzip') return gunzipSync(this.packed);
    if (encoding === 'zstd') return zstdDecompressSync(this.packed);
    return encoding === 'deflate' ? inflateSync(this.packed) : this.packed;
  }

  /** The body of a post of traces. Throws where it is no JSON. */
  get posted(): Posted {
    const posted: Posted = this.#posted ?? JSON.parse(this.bytes.toString());
    this.#posted = posted;
    return posted;
  }

  get isTraces(): boolean {
    return this.method === 'POST' && this.path === tracesPath;
  }

  /** True if the answer was a success. */
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

/** Answers one request, now or later or not at all; `nth` counts from 1. */
export type Reply = (response: ServerResponse, received: Received, nth: number) => void;

/** Takes every trace; anything else is not found. */
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

/** Writes a whole answer; a text is sent as it is, anything else as JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A local server that takes traces as the product does, and keeps them. Speaks real HTTP; answers as a test says. */
export class Collector {
  /** Every request whose body came whole, in order, whatever it was answered. */
  readonly received: Received[] = [];
  reply: Reply;
  /** Where it listens, or did. */
  url = '';
  /** Bytes that have come, those of requests that are still under way too. */
  bytes = 0;
  #count = 0;
  readonly #server: Server;

  constructor(reply: Reply = storeAll) {
    this.reply = reply;
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  /** Listens, on a free port where none is given, and resolves with the address. */
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

  /** Ids of the traces of all requests, whatever those were answered, in the order in which they came. */
  ids(): string[] {
    return this.received
      .filter((one) => one.isTraces)
      .flatMap(({ posted }) => posted.traces.map(({ _id }) => _id));
  }

  /** Returns and forgets the requests since the last call. */
  take(): Received[] {
    return this.received.splice(0);
  }

  /** The posts that were answered well. */
  get bodies(): Posted[] {
    return this.received.filter((one) => one.isTraces && one.stored).map((one) => one.posted);
  }

  /** The keys of those posts. */
  get keys(): Set<unknown> {
    return new Set(this.received.filter((one) => one.stored).map((one) => one.headers['x-api-key']));
  }

  /** As a reader shows them: with the values that steps refer to in their places. */
  get traces(): PostedTrace[] {
    return this.bodies.flatMap((body) => body.traces.map(withAllReferred));
  }

  /** The first trace of a path, once it has arrived. */
  async trace(path: string): Promise<PostedTrace> {
    const [trace] = await this.awaitTraces(path, 1);
    if (trace === undefined) throw new Error(`no trace of ${path}`);
    return trace;
  }

  /** At least `count` traces of a path, once they have arrived. */
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
    // A sender that hangs up halfway has sent nothing.
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
