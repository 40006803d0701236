import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections that were idle for too long, after first reading what arrived on them. After a stall
 * Node runs timers before it reads sockets, so a connection with an unread request would be reset.
 */
export function readBeforeTimeouts(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    // Sockets are read between timers and immediates.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
