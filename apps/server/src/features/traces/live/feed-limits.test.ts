import { once } from 'node:events';
import { connect } from 'node:net';
import { MAX_LIVE_FEEDS, routes } from '@throughline/contract';
import { aTrace, logIn, type Person, refusal, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test, vi } from 'vitest';
import { createId, type SessionId, type UserId } from '../../../platform/ids.ts';
import { createFeedLimits, type OpenFeed } from './feed-limits.ts';
import { type Watch, watch } from './fixtures/watch.ts';

const scene = sceneOfEachTest();

const watchTimes = (person: Person, times: number): Promise<Watch[]> =>
  Promise.all(Array.from({ length: times }, () => watch(person)));
const stopAll = (feeds: readonly Watch[]) => {
  for (const feed of feeds) feed.stop();
};

/** Opens a feed whose client never reads it. */
async function stall(person: Person) {
  const { hostname, port } = new URL(scene.server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET /api/traces/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.token}\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
  socket.pause();
  return socket;
}

describe('live feeds', () => {
  test('are limited to ten per session, also in concurrent requests; a closed feed frees its slot', async () => {
    const { person } = scene;
    const asked = await Promise.allSettled(Array.from({ length: 25 }, () => watch(person)));
    const open = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(open).toHaveLength(MAX_LIVE_FEEDS.session);
    expect(await refusal(watch(person))).toMatchObject({
      status: 429,
      code: 'too_many_feeds',
      message: 'This session has 10 live feeds open, which is the maximum. Close one, then try again.',
      details: { limit: 10, used: 10 },
    });
    open.pop()?.stop();
    const next = await vi.waitFor(() => watch(person));
    stopAll([...open, next]);
  });

  test('beyond a limit are rejected with the limit and a time to retry', async () => {
    const { person, server } = scene;
    const open = await watchTimes(person, MAX_LIVE_FEEDS.session);
    const answer = await fetch(`${server.url}/api/traces/stream`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('30');
    stopAll(open);
  });

  test.runIf(isThorough())(
    'are limited to a hundred per account over all sessions, without affecting other accounts',
    async () => {
      const { person, server } = scene;
      const open: Watch[] = [];
      for (let session = 0; session < MAX_LIVE_FEEDS.account / MAX_LIVE_FEEDS.session; session++) {
        const again = await logIn(server, person.email, person.password);
        open.push(...(await watchTimes(again, MAX_LIVE_FEEDS.session)));
      }
      expect(await refusal(watch(person))).toMatchObject({
        status: 429,
        code: 'too_many_feeds',
        details: { limit: 100 },
      });
      const other = await newcomer(server);
      open.push(await watch(other.person));
      stopAll(open);
    },
    60_000,
  );

  test.runIf(isThorough())(
    'that were aborted before they opened, or rejected, do not count towards the limits',
    async () => {
      const { person, server } = scene;
      const { hostname, port } = new URL(server.url);
      for (let i = 0; i < 30; i++) {
        const socket = connect(Number(port), hostname);
        socket.write(
          `GET /api/traces/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.token}\r\n\r\n`,
        );
        await once(socket, 'connect');
        socket.resetAndDestroy();
        await refusal(watch(person, { projectId: createId() }));
      }
      const open = await vi.waitFor(() => watchTimes(person, MAX_LIVE_FEEDS.session));
      stopAll(open);
    },
    20_000,
  );

  test('whose clients read nothing are closed soon after their session ended', async () => {
    const { person, project, server } = scene;
    const again = await logIn(server, person.email, person.password);
    const sockets = await Promise.all([stall(again), stall(again)]);
    const path = `/${'x'.repeat(8000)}`;
    for (let sent = 0; sent < 900; sent += 300) {
      await sendTraces(
        server,
        project.apiKey,
        Array.from({ length: 300 }, () => aTrace({ request: { method: 'GET', path } })),
      );
    }
    await again.client.call(routes.auth.logout, {});
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toContain('\nthroughline_live_feeds 0\n');
    }, 10_000);
    for (const socket of sockets) socket.destroy();
  }, 40_000);
});

describe('a server that has the maximum number of feeds', () => {
  const MAX = { session: 3, account: 6, server: 8 } as const;
  const account = () => createId<UserId>();
  const openFeed = (accountId: UserId, ended: OpenFeed[] = []) => {
    const feed: OpenFeed = {
      sessionId: createId<SessionId>(),
      accountId,
      end: () => void ended.push(feed),
    };
    return feed;
  };

  test('closes the newest feeds of the account with the most feeds, until a new account has the same number', () => {
    const limits = createFeedLimits(MAX);
    const [large, small, late] = [account(), account(), account()];
    const ended: OpenFeed[] = [];
    const feeds = Array.from({ length: 6 }, () => openFeed(large, ended));
    for (const feed of feeds) limits.admit(feed);
    limits.admit(openFeed(small));
    limits.admit(openFeed(small));
    for (let place = 0; place < 3; place++) limits.admit(openFeed(late));
    expect(ended).toEqual(feeds.slice(3).reverse());
    expect(limits.count()).toBe(8);
    expect(() => limits.admit(openFeed(late))).toThrow(
      'This server has 8 live feeds open, which is the maximum. Try again later.',
    );
    expect(() => limits.admit(openFeed(large))).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(limits.count()).toBe(8);
  });
});
