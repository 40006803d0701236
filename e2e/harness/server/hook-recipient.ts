import { createServer } from 'node:http';
import { test } from '@playwright/test';
import { type Product, startServer } from './product.ts';

/** Receives webhooks on this machine. Responds with 200 below /good and with 500 below /bad. */
interface HookRecipient {
  /** URL of the recipient, without a trailing slash. */
  readonly url: string;
  /** Bodies of the requests below /good. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

async function startHookRecipient(): Promise<HookRecipient> {
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

/** Starts a webhook recipient, and a server that can send webhooks to this machine. All tests of the file share both. */
export function serveWithRecipient(): { readonly product: Product; readonly recipient: HookRecipient } {
  let started: { readonly product: Product; readonly recipient: HookRecipient } | undefined;
  const read = () => {
    if (started === undefined) throw new Error('the server is started before the tests');
    return started;
  };
  test.beforeAll(async () => {
    const product = await startServer({ ALERT_PRIVATE_TARGETS: 'on' });
    started = { product, recipient: await startHookRecipient() };
  });
  test.afterAll(async () => {
    await started?.product.stop();
    await started?.recipient.stop();
  });
  return {
    get product() {
      return read().product;
    },
    get recipient() {
      return read().recipient;
    },
  };
}
