import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** The rest of a refused body may take so long; then its connection ends. */
const LINGER_MS = 10_000;
/** Refused bodies are read no faster together than 50 MB a second: beyond that, dropping them would hold up other requests. */
const SLOT_MS = 20;
const SLOT_BYTES = 1024 * 1024;

/** Of an `IncomingMessage`, what is needed here. */
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

let bytesLeft = SLOT_BYTES;
const paused = new Set<Readable>();
let isSlotOpen = false;

function pace(message: Readable, bytes: number): void {
  bytesLeft -= bytes;
  openSlot();
  if (bytesLeft > 0) return;
  message.pause();
  paused.add(message);
}

function openSlot(): void {
  if (isSlotOpen) return;
  isSlotOpen = true;
  setTimeout(endSlot, SLOT_MS).unref();
}

function endSlot(): void {
  isSlotOpen = false;
  bytesLeft = Math.min(SLOT_BYTES, bytesLeft + SLOT_BYTES);
  if (bytesLeft <= 0) {
    openSlot();
    return;
  }
  for (const message of paused) message.resume();
  paused.clear();
}
