import type { Server } from 'node:net';

/** A small server for one test. */
export interface SmallServer {
  readonly port: number;
  stop(): void;
}

/** Starts a server on a free local port. `stop` also closes the server's connections. */
export function listen(server: Server): Promise<SmallServer> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        stop() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}
