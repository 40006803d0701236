import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

/** One request as the collector got it. */
interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly body: { readonly traces: readonly { readonly _id: string }[]; readonly [field: string]: unknown };
}

/** Answers one request; the default stores everything. */
type Reply = (response: ServerResponse, received: Received, nth: number) => void;

/** A real HTTP server that takes traces and answers as a test says. */
export interface Collector {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  reply: Reply;
  /** Ids of the traces in the order in which they came. */
  ids(): string[];
  close(): Promise<void>;
}

export const storeAll: Reply = (response, { body }) => {
  answer(response, 200, { accepted: body.traces.length, rejected: [] });
};

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { [name: string]: string } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function unpacked(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(raw);
  return encoding === 'zstd' ? zstdDecompressSync(raw) : raw;
}

export async function startCollector(port = 0): Promise<Collector> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const text = unpacked(raw, request.headers['content-encoding']);
      const one: Received = {
        path: request.url,
        headers: request.headers,
        bytes: text.length,
        body: JSON.parse(text.toString('utf8')),
      };
      received.push(one);
      collector.reply(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP server');
  const collector: Collector = {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    reply: storeAll,
    ids: () => received.flatMap(({ body }) => body.traces.map((trace) => trace._id)),
    close: () => closeServer(server),
  };
  return collector;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
