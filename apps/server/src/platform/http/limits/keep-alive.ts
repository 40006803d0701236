import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets the server read the bytes that have arrived on idle connections before it closes connections that were idle for too long. After a
 * stall, Node runs timers before it reads sockets, so a connection with an unread request would be reset.
 */
export function readBeforeTimeouts(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    // Node reads sockets between timers and immediates.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
