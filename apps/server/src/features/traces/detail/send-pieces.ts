import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LeavePlace } from './reading-places.ts';

/** Number of bytes that wait in memory until the client reads them. */
const BUFFERED_BYTES = 1024 * 1024;
/** If a client reads nothing for this long, its connection is closed and its concurrent read ends. */
const MAX_IDLE_MS = 30_000;

/** Sends a response in pieces as fast as the client reads. Always ends the concurrent read when the response ends or fails. */
export function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  leave: LeavePlace,
  maxIdleMs: number = MAX_IDLE_MS,
): void {
  // The client disconnected while the request waited in the queue.
  if (reply.raw.destroyed) {
    leave();
    reply.hijack();
    return;
  }
  const stream = Readable.from(
    stopIfAbandoned(pieces, () => reply.raw.destroy(), maxIdleMs),
    {
      objectMode: false,
      highWaterMark: BUFFERED_BYTES,
    },
  );
  reply.raw.once('close', () => {
    stream.destroy();
    leave();
  });
  stream.once('close', leave);
  reply.send(stream);
}

async function* stopIfAbandoned(
  pieces: AsyncIterable<string>,
  giveUp: () => void,
  maxIdleMs: number,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    // An empty piece would end the stream.
    if (piece === '') continue;
    const timer = setTimeout(giveUp, maxIdleMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
