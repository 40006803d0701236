import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { FairPace } from '../../queues/fair-pace.ts';

/** The rest of a refused body may take so long; then its connection ends. */
const LINGER_MS = 10_000;
/** Refused bodies are read no faster together than 50 MB a second: beyond that, dropping them would hold up other requests. */
const REFUSED_PACE = { slotBytes: 1024 * 1024, slotMs: 20 };

/** The part of `IncomingMessage` that is needed here. */
interface RefusedMessage extends Readable {
  readonly complete: boolean;
  readonly socket: Socket;
}

/**
 * Reads what is still coming of a refused body and drops it. A connection that is closed over unread bytes is reset, and its sender would see
 * that in place of the answer.
 */
export function dropRest(message: RefusedMessage): void {
  if (message.complete || message.destroyed) return;
  const { socket } = message;
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const letGo = () => clearTimeout(late);
  message.once('close', letGo);
  // Where no other request is to follow on the connection, Node destroys it once the answer is written. It is only ended here, and still read.
  socket.destroySoon = () => {
    message.off('close', letGo);
    socket.once('close', letGo);
    socket.end();
  };
  // Also once an iterator lets go of the message.
  message.on('data', (chunk: Buffer) => pace(message, chunk.length));
  message.resume();
}

/** Refused bodies have no owner: the pace is that of all together. */
const ANYBODY = '';
const refusedPace = new FairPace(REFUSED_PACE);

function pace(message: Readable, bytes: number): void {
  const wait = refusedPace.pass(ANYBODY, bytes);
  if (wait === undefined) return;
  message.pause();
  void wait.then(() => message.resume());
}
