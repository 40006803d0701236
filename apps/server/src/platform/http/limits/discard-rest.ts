import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { FairPace } from '../../queues/fair-pace.ts';

/** Time limit for reading the rest of a rejected body. After it, the connection is closed. */
const LINGER_MS = 10_000;
/** All rejected bodies together are read at up to 50 MB a second, because reading them faster would delay other requests. */
const REFUSED_PACE = { slotBytes: 1024 * 1024, slotMs: 20 };

/** The members of `IncomingMessage` that `discardRest` uses. */
interface RefusedMessage extends Readable {
  readonly complete: boolean;
  readonly socket: Socket;
}

/**
 * Reads and discards the rest of a rejected body. Closing a connection with unread bytes resets it, and the
 * sender would see the reset instead of the response.
 */
export function discardRest(message: RefusedMessage): void {
  if (message.complete || message.destroyed) return;
  const { socket } = message;
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const letGo = () => clearTimeout(late);
  message.once('close', letGo);
  // If no other request follows on a connection, Node destroys it after writing the response. This replacement only ends the connection, so
  // that the rest of the body is still read.
  socket.destroySoon = () => {
    message.off('close', letGo);
    socket.once('close', letGo);
    socket.end();
  };
  // This listener reads the rest of the body, even after an iterator has released the message.
  message.on('data', (chunk: Buffer) => limitPace(message, chunk.length));
  message.resume();
}

/** The common owner of all rejected bodies, so that all rejected bodies together have one limit of bytes per second. */
const ANYBODY = '';
const refusedPace = new FairPace(REFUSED_PACE);

function limitPace(message: Readable, bytes: number): void {
  const wait = refusedPace.pass(ANYBODY, bytes);
  if (wait === undefined) return;
  message.pause();
  void wait.then(() => message.resume());
}
