import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LeavePlace } from '../detail/reading-places.ts';

/** Bytes that wait in memory for a reader. */
const BUFFERED_BYTES = 1024 * 1024;
/** A reader that reads nothing for this long loses its place and its connection. */
const MAX_IDLE_MS = 30_000;

/** Sends an answer in pieces at the reader's speed, and releases its place at the end in any case. */
export function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  leave: LeavePlace,
  maxIdleMs: number = MAX_IDLE_MS,
): void {
  // The reader disconnected while it waited in line.
  if (reply.raw.destroyed) {
    leave();
    reply.hijack();
    return;
  }
  const stream = Readable.from(
    whileTaken(pieces, () => reply.raw.destroy(), maxIdleMs),
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

async function* whileTaken(
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
