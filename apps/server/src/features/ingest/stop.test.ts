import { createClient, routes } from '@throughline/contract';
import { aTrace, makeProject, postBody, signUp, spawnServer, startServer } from '@throughline/testkit';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/http/errors.ts';
import { FairMutex } from '../../platform/queues/fair-mutex.ts';
import { ByteBudget } from './receive/byte-budget.ts';

describe('a budget of bytes', () => {
  test('refuses a batch that does not fit, with Retry-After, and accepts the batch once other batches are done', () => {
    const budget = new ByteBudget(100);
    const [first, second] = [budget.open('a'), budget.open('b')];
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

  test('leaves memory for other owners while one owner sends as much as possible', () => {
    const budget = new ByteBudget(96);
    const flood = (owner: string) => {
      const shares = [];
      for (;;) {
        const share = budget.open(owner);
        try {
          share.take(1);
        } catch {
          return shares;
        }
        shares.push(share);
      }
    };
    const first = flood('a');
    expect(first).toHaveLength(64);
    expect(flood('b')).toHaveLength(22);
    // The rest of the 96 bytes is free for a third owner.
    budget.open('c').take(7);
    for (const share of first) share.settle(0);
    expect(budget.used).toBe(29);
    budget.open('d').take(67);
  });
});

test('owners of waiting tasks take turns, even after a task failed', async () => {
  const turns = new FairMutex();
  const begun: string[] = [];
  const tasks = ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1'].map((name) =>
    turns.run(name.charAt(0), async () => {
      begun.push(name);
      await new Promise(setImmediate);
      if (name === 'a2') throw new Error('no JSON');
      return name;
    }),
  );
  const outcomes = await Promise.allSettled(tasks);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

const SENDERS = 12;

test('a stopping server refuses further batches, and has stored every batch that it acknowledged', async () => {
  const server = await startServer();
  const person = await signUp(server);
  const { apiKey } = await makeProject(person);
  const acknowledged: string[] = [];
  let sent = 0;
  const answered = Promise.withResolvers<void>();
  const sendUntilRefused = async () => {
    for (;;) {
      sent += 1;
      const _id = `01973000-0000-7000-8000-${String(sent).padStart(12, '0')}`;
      const body = JSON.stringify({ traces: [aTrace({ _id })] });
      const reply = await postBody(server, apiKey, body).catch(() => undefined);
      if (reply === undefined) return;
      if (reply.status !== 200) {
        expect(reply.status).toBe(503);
        expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
        return;
      }
      acknowledged.push(_id);
      answered.resolve();
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, sendUntilRefused));
  // Waits for the first response instead of a fixed time, because a busy machine can take long to accept the first batch.
  await Promise.race([answered.promise, sending]);
  await server.app.stop();
  await sending;
  expect(acknowledged.length).toBeGreaterThan(0);

  const again = spawnServer({ dataDir: server.dataDir, env: { LOG_LEVEL: 'error' } });
  const client = createClient({ baseUrl: await again.ready(), fetch, token: () => person.token });
  const { traces } = await client.call(routes.traces.list, { query: { limit: 500 } });
  expect(traces.map(({ _id }) => _id)).toEqual(expect.arrayContaining(acknowledged));
  await again.kill('SIGTERM');
  await server.stop();
}, 180_000);
