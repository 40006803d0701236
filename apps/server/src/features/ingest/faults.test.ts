import { randomUUID } from 'node:crypto';
import { routes } from '@throughline/contract';
import { aTrace, createFakeClock, makeProject, postBody, signUp, startServer } from '@throughline/testkit';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildBody, newTraceId, storedIds } from './fixtures/sending.ts';

test.runIf(isThorough())(
  'no trace is lost or duplicated and no session ends if the clock is set back an hour and forward again',
  async () => {
    const clock = createFakeClock();
    const server = await startServer({ clock });
    try {
      const person = await signUp(server);
      const project = await makeProject(person);
      // The clock is later set back by an hour. The time must still be after the registration, because billing months begin with the
      // registration, and each month has its own count of traces.
      clock.advance(2 * 3_600_000);
      const sent: string[] = [];
      for (const hours of [0, -1, 1]) {
        clock.advance(hours * 3_600_000);
        const ids = [newTraceId(clock.now().getTime()), newTraceId(clock.now().getTime())];
        sent.push(...ids);
        for (const _time of [1, 2]) {
          const reply = await postBody(server, project.apiKey, buildBody(ids, 0, clock.now().toISOString()));
          expect(reply.body).toEqual({ accepted: 2, rejected: [] });
        }
        const made = await makeTraceWithoutId(server, project.apiKey, clock.now());
        expect(made).toEqual({ accepted: 1, rejected: [] });
      }
      const stored = await storedIds(person.client, project.id);
      expect(stored).toHaveLength(sent.length + 3);
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored).toEqual(expect.arrayContaining(sent));
      const { usage } = await person.client.call(routes.usage.read, {});
      expect(usage.traces.used).toBe(stored.length);
    } finally {
      await server.stop();
    }
  },
  120_000,
);

async function makeTraceWithoutId(server: { readonly url: string }, apiKey: string, now: Date) {
  const trace = aTrace({ timing: { startTime: now.toISOString(), duration: 1 } });
  const headers = { 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ traces: [trace] });
  const first = await postBody(server, apiKey, body, headers);
  expect((await postBody(server, apiKey, body, headers)).body).toEqual(first.body);
  return first.body;
}

test('each trace is stored and counted once, even if it is sent twice, concurrently, in any order and in several batches', async () => {
  const server = await startServer();
  try {
    const pool = fc.array(fc.array(fc.nat(7), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(pool, fc.boolean(), async (batches, atOnce) => {
        const person = await signUp(server);
        const project = await makeProject(person);
        const ids = Array.from({ length: 8 }, () => newTraceId());
        const startTime = new Date().toISOString();
        const send = async (places: readonly number[]) => {
          const body = buildBody(
            places.map((place) => ids[place] ?? ''),
            0,
            startTime,
          );
          expect((await postBody(server, project.apiKey, body)).body).toEqual({
            accepted: places.length,
            rejected: [],
          });
        };
        if (atOnce) await Promise.all(batches.map(send));
        else for (const places of batches) await send(places);
        const sent = new Set(batches.flat().map((place) => ids[place]));
        expect((await storedIds(person.client, project.id)).sort()).toEqual([...sent].sort());
        const { usage } = await person.client.call(routes.usage.read, {});
        expect(usage.traces.used).toBe(sent.size);
      }),
      { numRuns: repetitions({ usually: 2, thoroughly: 200 }) },
    );
  } finally {
    await server.stop();
  }
}, 600_000);
