import { createServer } from 'node:http';

/** Takes webhooks on this machine: 200 below /good, 500 below /bad. */
export interface HookReceiver {
  /** Without a trailing slash. */
  readonly url: string;
  /** The bodies that arrived below /good. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

export async function startHookReceiver(): Promise<HookReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isGood = request.url?.startsWith('/good') === true;
      if (isGood) bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(isGood ? 200 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    bodies,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
