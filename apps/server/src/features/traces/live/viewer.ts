import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Bytes that may wait for a slow viewer before rows are left out: about a thousand rows, since a group of traces comes at once. */
const MAX_WAITING_BYTES = 512 * 1024;
/** A viewer that took nothing during so many heartbeats is cut off: its place counts, and its reader may be long gone. */
const MAX_STALLED_BEATS = 4;
/** A reader that has not taken the rest of an ended feed by then does not get it. */
const END_MS = 2_000;

/** Rows as events, made once for all who get them. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** One reader of the feed. */
export class Viewer {
  readonly #stream: ServerResponse;
  /** Rows left out since the reader fell behind. */
  #missed = 0;
  #stalledBeats = 0;

  constructor(stream: ServerResponse) {
    this.#stream = stream;
    stream.on('drain', () => this.#tellGap());
  }

  show({ bytes, rows }: Chunk): void {
    if (this.#missed > 0 || this.#stream.writableLength + bytes.length > MAX_WAITING_BYTES) {
      this.#missed += rows;
    } else this.#send(bytes);
  }

  miss(count: number): void {
    this.#missed += count;
    if (!this.#stream.writableNeedDrain) this.#tellGap();
  }

  beat(): void {
    if (!this.#stream.writableNeedDrain) {
      this.#stalledBeats = 0;
      this.#send(': heartbeat\n\n');
      return;
    }
    this.#stalledBeats += 1;
    if (this.#stalledBeats >= MAX_STALLED_BEATS) this.#stream.destroy();
  }

  end(): void {
    const stream = this.#stream;
    if (stream.writableEnded) return;
    stream.end();
    const cutOff = setTimeout(() => stream.destroy(), END_MS).unref();
    stream.once('close', () => clearTimeout(cutOff));
  }

  #tellGap(): void {
    if (this.#missed === 0) return;
    const missed = this.#missed;
    this.#missed = 0;
    this.#send(`event: gap\ndata: {"missed":${missed}}\n\n`);
  }

  #send(events: string | Buffer): void {
    const stream = this.#stream;
    if (stream.writableEnded || stream.destroyed) return;
    // Written now and not with the tick's end: the time that it takes counts for whoever shares the event loop fairly.
    stream.socket?.cork();
    stream.write(events);
    stream.socket?.uncork();
  }
}

/** Takes the answer over from Fastify, with the headers that are set so far. */
export function startStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Reverse proxies would hold events back otherwise.
    'x-accel-buffering': 'no',
  });
  // Its arrival tells the reader that the stream is open.
  raw.write(': open\n\n');
  raw.on('error', () => raw.destroy());
  return raw;
}
