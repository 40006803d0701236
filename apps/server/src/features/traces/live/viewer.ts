import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * Maximum bytes that wait for a slow viewer before rows are omitted. About a thousand rows fit, because one batch can deliver many traces
 * at once.
 */
const MAX_WAITING_BYTES = 512 * 1024;
/**
 * A viewer that read nothing during this many heartbeats is disconnected, because the client may no longer exist and the feed counts
 * towards the limits.
 */
const MAX_STALLED_BEATS = 4;
/** Time for the client to read the rest of an ended feed. */
const END_MS = 2_000;

/** Rows formatted as events, shared by all viewers that receive them. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** A client that receives the feed. */
export class Viewer {
  readonly #stream: ServerResponse;
  /** Number of omitted rows that were not reported to the client yet. */
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
    // Writes now instead of at the end of the tick, so that writing counts as part of this turn's time.
    stream.socket?.cork();
    stream.write(events);
    stream.socket?.uncork();
  }
}

/** Takes the response over from Fastify, including the headers set so far. */
export function startStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Keeps reverse proxies from buffering events.
    'x-accel-buffering': 'no',
  });
  // A first comment, so that the client knows that the stream is open.
  raw.write(': open\n\n');
  raw.on('error', () => raw.destroy());
  return raw;
}
