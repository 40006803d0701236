import type { IncomingMessage } from 'node:http';

/** The rest of a refused body may take so long; then its connection ends. */
const LINGER_MS = 10_000;

/**
 * Reads what is still coming of a refused body and drops it. A connection that is closed over unread bytes is reset, and its sender would see
 * that in place of the answer.
 */
export function dropRest(message: IncomingMessage): void {
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
  message.on('data', () => {});
  message.resume();
}
