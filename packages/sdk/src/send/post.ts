import * as http from 'node:http';
import { loadHttps, whenHttpsLoads } from '../outgoing/node-https.ts';
import { clearTimeout, setTimeout } from '../timers.ts';
import type { Answer } from './outcome.ts';
import { type Packed, pack } from './pack.ts';

/** Where traces go and with which key. */
export interface Target {
  /** The whole address, `…/api/ingest/traces`. */
  readonly url: URL;
  readonly apiKey: string;
  readonly userAgent: string;
}

/** A server that takes longer is taken for gone. */
const TIMEOUT_MS = 15_000;
/** An answer longer than this is not read on: ours are short. */
const ANSWER_BYTES = 256 * 1024;
/** Requests under way at a time. */
export const CONNECTIONS = 4;

// As it was when the SDK was loaded: what the host puts in its place later (tracing, test doubles) is meant for its own requests.
const httpRequest = http.request;
/** Those that answered that they cannot unpack what we sent: something in between knows gzip alone. */
const plain = new WeakSet<Connections>();
const CANNOT_UNPACK = 415;

/** Keeps connections to a server open between requests, without keeping the process alive. What they need is loaded for the first request. */
export class Connections {
  readonly target: Target;
  #request = httpRequest;
  #agent: http.Agent | undefined;

  constructor(target: Target) {
    this.target = target;
    if (this.#isSecure) {
      whenHttpsLoads(({ request }) => {
        this.#request = request;
      });
    }
  }

  get #isSecure(): boolean {
    return this.target.url.protocol === 'https:';
  }

  open(headers: http.OutgoingHttpHeaders): http.ClientRequest {
    const options = { keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'lifo' } as const;
    this.#agent ??= this.#isSecure ? new (loadHttps().Agent)(options) : new http.Agent(options);
    return this.#request(this.target.url, { method: 'POST', agent: this.#agent, headers });
  }

  close(): void {
    this.#agent?.destroy();
  }
}

/** `key` names the batch, so that it is stored once however often it is sent; a body without traces has none. */
export function headersFor(target: Target, key: string | undefined): { readonly [name: string]: string } {
  return {
    'content-type': 'application/json',
    'x-api-key': target.apiKey,
    ...(key !== undefined && { 'idempotency-key': key }),
    'user-agent': target.userAgent,
  };
}

/** Posts one body, compressed. Never rejects: a connection that fails is an answer with status 0. */
export async function post(
  connections: Connections,
  key: string | undefined,
  json: string | Buffer,
): Promise<Answer> {
  try {
    const packed = await pack(json, plain.has(connections));
    const answer = await exchange(connections, key, packed);
    if (answer.status !== CANNOT_UNPACK || packed.encoding === 'gzip') return answer;
    plain.add(connections);
    return await exchange(connections, key, await pack(json, true));
  } catch (error) {
    return failed(error);
  }
}

function exchange(
  connections: Connections,
  key: string | undefined,
  { body, encoding }: Packed,
): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      ...headersFor(connections.target, key),
      'content-encoding': encoding,
      'content-length': `${body.length}`,
    };
    const request = connections.open(headers);
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), TIMEOUT_MS).unref();
    const finish = (answer: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    request.on('socket', (socket) => socket.unref());
    request.on('error', (error) => finish(failed(error)));
    request.on('close', () => finish(failed(new Error('connection closed'))));
    request.on('response', (response) => readAnswer(response, finish));
    request.end(body);
  });
}

function readAnswer(response: http.IncomingMessage, finish: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES) chunks.push(chunk);
    else response.destroy(new Error('the answer is too long'));
  });
  response.on('error', (error) => finish(failed(error)));
  response.on('end', () => {
    finish({
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      body: Buffer.concat(chunks).toString('utf8'),
    });
  });
}

function failed(error: unknown): Answer {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  const failure = typeof code === 'string' ? code : error instanceof Error ? error.message : 'failed';
  return { status: 0, retryAfter: undefined, body: '', failure };
}
