import { createClient, routes } from '@throughline/contract';
import { aTrace, makeProject, postBody, signUp, spawnServer, startServer } from '@throughline/testkit';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/http/errors.ts';
import { ByteBudget } from './byte-budget.ts';

describe('a budget of bytes', () => {
  test('refuses what does not fit, with Retry-After, and takes it once others are done', () => {
    const budget = new ByteBudget(100);
    const [first, second] = [budget.open(), budget.open()];
    first.take(60);
    second.take(30);
    const refused = () => second.take(11);
    expect(refused).toThrow(AppError);
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'overloaded',
        headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      });
    }
    expect(budget.used).toBe(90);
    first.settle(0);
    first.settle(0);
    second.take(11);
    second.settle(7);
    expect(budget.used).toBe(7);
    second.settle(0);
    expect(budget.used).toBe(0);
  });
});

test('a server that stops answers what it took in, refuses the rest, and has stored what it answered for', async () => {
  const server = await startServer();
  const person = await signUp(server);
  const { apiKey } = await makeProject(person);
  const ids = Array.from(
    { length: 40 },
    (_id, index) => `01973000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  );
  const sending = ids.map(async (_id, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 5));
    const body = JSON.stringify({ traces: [aTrace({ _id })] });
    const reply = await postBody(server, apiKey, body).catch(() => undefined);
    if (reply !== undefined && reply.status !== 200) {
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    return reply?.status === 200 ? [_id] : [];
  });
  await new Promise((resolve) => setTimeout(resolve, 80));
  await server.app.stop();
  const acknowledged = (await Promise.all(sending)).flat();
  expect(acknowledged.length).toBeGreaterThan(0);

  const again = spawnServer({ dataDir: server.dataDir, env: { LOG_LEVEL: 'error' } });
  const client = createClient({ baseUrl: await again.ready(), fetch, token: () => person.token });
  const { traces } = await client.call(routes.traces.list, { query: { limit: 500 } });
  expect(traces.map(({ _id }) => _id)).toEqual(expect.arrayContaining(acknowledged));
  await again.kill('SIGTERM');
  await server.stop();
}, 180_000);
