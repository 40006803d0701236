import { createServer, request } from 'node:https';
import { expect, test } from 'vitest';
import { nextTrace, serve, watch } from '../../test/watched.ts';

test('an https server is traced like an http server', async () => {
  watch();
  // A pre-shared key needs no certificate.
  const psk = Buffer.from('0123456789abcdef');
  const tls = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
  const listener = (_req: unknown, res: { end(text: string): void }) => res.end('secret');
  const running = await serve(listener, createServer({ ...tls, pskCallback: () => psk }, listener));
  const answer = await new Promise<string>((resolve, reject) => {
    const options = {
      ...tls,
      port: running.port,
      path: '/safe',
      agent: false,
      checkServerIdentity: () => undefined,
      pskCallback: () => ({ psk, identity: 'test' }),
    };
    const client = request(options, (response) => response.on('data', (text) => resolve(String(text))));
    client.on('error', reject);
    client.end();
  });
  expect(answer).toBe('secret');
  const { request: seen, response } = await nextTrace();
  expect(seen).toMatchObject({ path: '/safe', url: `https://localhost:${running.port}/safe` });
  expect(response).toMatchObject({ statusCode: 200, body: 'secret' });
  await running.close();
});
