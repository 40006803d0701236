import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections that were idle for too long, but reads first what came on them. After a stall Node's timers run before its sockets are read: a
 * connection whose time was up meanwhile was reset, with a request on it that waited to be read.
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
