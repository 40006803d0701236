import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type { CompressedBody } from '../compress.ts';
import type { Answer } from '../outcome.ts';
import { makePoster, type PostHeaders } from '../poster.ts';

/** The data with which the thread starts. */
export interface ThreadData {
  readonly url: string;
  readonly agent: { readonly keepAlive: boolean; readonly maxSockets: number; readonly scheduling: 'lifo' };
  readonly port: MessagePort;
}

/** Message to the thread: a body to post. The body's memory is transferred. */
export interface PostOrder {
  readonly id: number;
  readonly headers: PostHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Message from the thread: the response (`answer`). `body` is the posted body, whose memory is transferred back. */
export interface PostDone {
  readonly id: number;
  readonly answer: Answer;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Client {
  readonly Agent: new (options: ThreadData['agent']) => Agent;
  request(url: string, options: RequestOptions): ClientRequest;
}

/** Node's modules by name, as `require` returns them in the thread. */
interface ThreadModules {
  (name: 'node:worker_threads'): { readonly workerData: ThreadData };
  (name: 'node:http' | 'node:https'): Client;
  (name: 'node:zlib'): typeof import('node:zlib');
}

/** The thread runs this function from its source code. Like `makePoster`, the function uses only its parameters, Node and the language. */
function runThread(load: ThreadModules, make: typeof makePoster): void {
  const { url, agent: options, port } = load('node:worker_threads').workerData;
  const client = load(url.startsWith('https:') ? 'node:https' : 'node:http');
  const zlib = load('node:zlib');
  const agent = new client.Agent(options);
  const chunkSize = 128 * 1024;
  const gzipOptions = { chunkSize, level: zlib.constants.Z_BEST_SPEED };
  const zstdOptions = { chunkSize, params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
  const compressBody = (json: Uint8Array, gzipOnly: boolean): CompressedBody =>
    gzipOnly || typeof zlib.zstdCompressSync !== 'function'
      ? { body: zlib.gzipSync(json, gzipOptions), encoding: 'gzip' }
      : { body: zlib.zstdCompressSync(json, zstdOptions), encoding: 'zstd' };
  const post = make({
    open: (headers) => client.request(url, { method: 'POST', agent, headers }),
    // Compresses synchronously, because the thread pool of the process can be as busy as the host's event loop.
    compress: (json, gzipOnly, done) => done(compressBody(json, gzipOnly)),
    setTimeout,
    clearTimeout,
  });
  port.on('message', ({ id, headers, body }: PostOrder) => {
    post(headers, body, (answer) => {
      const message: PostDone = { id, answer, body };
      port.postMessage(message, [body.buffer]);
    });
  });
}

/** Returns the thread's program as a string, so that the thread can be started even if the SDK is bundled. */
export function writeThreadProgram(): string {
  return `'use strict';(${String(runThread)})(require,${String(makePoster)});`;
}
