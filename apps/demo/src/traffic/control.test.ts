import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../test-server.ts';

let shop: TestServer;
beforeAll(async () => {
  shop = await startTestServer();
});
afterAll(() => shop.stop());

const order = (body: unknown) => shop.visitor().post('/__traffic', body);

it('POST /__traffic sends the given number of requests to the shop', async () => {
  expect(await order({ requests: 7 })).toEqual({ status: 202, body: { requests: 7 } });
  expect(await order({})).toEqual({ status: 202, body: { requests: 20 } });
});

it.each([
  [{ requests: 0 }, 'requests must be a whole number from 1 to 200'],
  [{ requests: 1e9 }, 'requests must be a whole number from 1 to 200'],
  [{ requests: 'many' }, 'requests must be a whole number from 1 to 200'],
  [{ url: 'http://127.0.0.1:1' }, 'apiKey is required'],
  [{ apiKey: 'tl_x' }, 'url is required'],
  [{ url: 'file:///etc/passwd', apiKey: 'tl_x' }, 'url must be an http or https address'],
])('the traffic request %j is rejected', async (body, error) => {
  expect(await order(body)).toEqual({ status: 400, body: { error } });
});

it('POST /__traffic accepts only JSON, so that a page of another site cannot call it', async () => {
  const answer = await fetch(`${shop.url}/__traffic`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(415);
});
