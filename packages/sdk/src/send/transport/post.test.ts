import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Connections, post } from './post.ts';

test('an https URL is contacted over TLS, and a server that does not respond with TLS is a failure', async () => {
  const server = createServer((socket) => {
    socket.once('data', (bytes: Buffer) => {
      heard(bytes);
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    socket.on('error', () => {});
  }).listen(0);
  await once(server, 'listening');
  let heard: (bytes: Buffer) => void = () => {};
  const greeting = new Promise<Buffer>((resolve) => {
    heard = resolve;
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = new URL(`https://127.0.0.1:${port}/api/ingest/traces`);
  const connections = new Connections({ url, apiKey: 'tl_secret', userAgent: 'test' });
  const answer = await post(connections, 'batch-1', '{}');
  // 22 is the type of a TLS handshake record (RFC 8446), which contains nothing of the request.
  expect((await greeting)[0]).toBe(22);
  expect((await greeting).includes('tl_secret')).toBe(false);
  expect(answer).toMatchObject({ status: 0, failure: expect.any(String) });
  connections.close();
  server.close();
});
