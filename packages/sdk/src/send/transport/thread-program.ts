import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type { Packed } from './compress.ts';
import type { Answer } from './outcome.ts';
import { makePoster, type PostHeaders } from './poster.ts';

/** The data with which the thread starts. */
export interface ThreadData {
  readonly url: string;
  readonly agent: { readonly keepAlive: boolean; readonly maxSockets: number; readonly scheduling: 'lifo' };
  readonly port: MessagePort;
}

/** To the thread: post this. The body's memory goes with it. */
export interface PostOrder {
  readonly id: number;
  readonly headers: PostHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** From the thread: the answer, and the body's memory. */
export interface PostDone {
  readonly id: number;
  readonly answer: Answer;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Client {
  readonly Agent: new (options: ThreadData['agent']) => Agent;
  request(url: string, options: RequestOptions): ClientRequest;
}

/** Node's modules by their names, as the thread's `require` gives them. */
interface ThreadModules {
  (name: 'node:worker_threads'): { readonly workerData: ThreadData };
  (name: 'node:http' | 'node:https'): Client;
  (name: 'node:zlib'): typeof import('node:zlib');
}

/** Runs in the thread, from its source text: like `makePoster`, it uses nothing but its parameters, Node and the language. */
function runThread(load: ThreadModules, make: typeof makePoster): void {
  const { url, agent: options, port } = load('node:worker_threads').workerData;
  const client = load(url.startsWith('https:') ? 'node:https' : 'node:http');
  const zlib = load('node:zlib');
  const agent = new client.Agent(options);
  const chunkSize = 128 * 1024;
  const gzipOptions = { chunkSize, level: zlib.constants.Z_BEST_SPEED };
  const zstdOptions = { chunkSize, params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
  const pack = (json: Uint8Array, plainly: boolean): Packed =>
    plainly || typeof zlib.zstdCompressSync !== 'function'
      ? { body: zlib.gzipSync(json, gzipOptions), encoding: 'gzip' }
      : { body: zlib.zstdCompressSync(json, zstdOptions), encoding: 'zstd' };
  const post = make({
    open: (headers) => client.request(url, { method: 'POST', agent, headers }),
    // At once: the process's thread pool may be as busy as its event loop.
    compress: (json, plainly, done) => done(pack(json, plainly)),
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

/** The thread's program. It is text, so that it is found wherever the SDK is bundled into. */
export function threadProgram(): string {
  return `'use strict';(${String(runThread)})(require,${String(makePoster)});`;
}
