import { connect } from 'node:net';
import { MAX_ROW_TEXT, routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { watch } from './fixtures/watch.ts';

const scene = sceneOfEachTest();

const get = (path: string, given: Parameters<typeof aTrace>[0] = {}) =>
  aTrace({ request: { method: 'GET', path }, ...given });

describe('the live feed', () => {
  test('sends traces as they are stored, in the same form as the list, if they match the filters', async () => {
    const { person, project } = scene;
    const all = await watch(person);
    const errors = await watch(person, { projectId: project.id, status: 'error', search: 'CART' });
    expect(all.answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await sendTraces(scene.server, project.apiKey, [get('/home')]);
    await sendTraces(scene.server, project.apiKey, [get('/cart/1', { response: { statusCode: 500 } })]);
    expect((await all.next())?.request.path).toBe('/home');
    const shown = await all.next();
    const listed = await person.client.call(routes.traces.list, { query: { search: '/cart' } });
    expect(shown).toEqual(listed.traces[0]);
    expect(await errors.next()).toEqual(shown);
    all.stop();
    errors.stop();
  });

  test.runIf(isThorough())(
    'sends only traces with the filtered attributes, of the request or of a step, in order of arrival',
    async () => {
      const { person, project } = scene;
      const feed = await watch(person, { attribute: 'tenant:t1', method: 'GET' });
      const both = await watch(person, { attribute: ['tenant:t1', 'db.system'] });
      const step = (metadata: Record<string, string>) => ({
        flow: [
          { stepId: '1', stepName: 'x', startTime: new Date().toISOString(), duration: 1, metadata },
        ] as never,
      });
      await sendTraces(scene.server, project.apiKey, [
        get('/other', { attributes: { tenant: 't2' } as never }),
        get('/1', { attributes: { tenant: 't1' } as never }),
        aTrace({ request: { method: 'PUT', path: '/put' }, attributes: { tenant: 't1' } as never }),
      ]);
      await sendTraces(scene.server, project.apiKey, [
        get('/none'),
        get('/2', step({ tenant: 't1', 'db.system': 'x' })),
      ]);
      await sendTraces(scene.server, project.apiKey, [get('/3', { attributes: { tenant: 't1' } as never })]);
      for (const path of ['/1', '/2', '/3']) expect((await feed.next())?.request.path).toBe(path);
      expect((await both.next())?.request.path).toBe('/2');
      feed.stop();
      both.stop();
    },
  );

  test.runIf(isThorough())(
    'sends only requests that the service in the filter `caller` called, and the list shows the same requests',
    async () => {
      const { person, project } = scene;
      const feed = await watch(person, { caller: 'shop', method: 'GET' });
      const traceId = 'a'.repeat(32);
      const asked = (path: string, parentSpanId: string) => get(path, { traceId, parentSpanId });
      await sendTraces(scene.server, project.apiKey, [get('/asks', { traceId, spanId: 'b'.repeat(16) })]);
      const billing = { name: 'billing' };
      await sendTraces(scene.server, project.apiKey, [get('/nobody'), asked('/1', 'b'.repeat(16))], billing);
      await sendTraces(scene.server, project.apiKey, [asked('/2', 'b'.repeat(16))], billing);
      for (const path of ['/1', '/2']) expect((await feed.next())?.request.path).toBe(path);
      const { traces } = await person.client.call(routes.traces.list, { query: { caller: 'shop' } });
      expect(traces.map(({ request }) => request.path).sort()).toEqual(['/1', '/2']);
      feed.stop();
    },
  );

  test('rejects a malformed attribute filter with the name of the field', async () => {
    const { person } = scene;
    await expect(watch(person, { attribute: ':x' })).rejects.toMatchObject({
      status: 400,
      details: { fields: [{ path: 'attribute' }] },
    });
  });

  test("never sends another account's traces, and never sends the same trace twice", async () => {
    const { person: ada, project } = scene;
    const { person: eve, project: own } = await newcomer(scene.server);
    const evesFeed = await watch(eve);
    const adasFeed = await watch(ada);
    const _id = '01973000-0000-7000-8000-0000000000bb';
    await sendTraces(scene.server, project.apiKey, [get('/ada', { _id }), get('/ada', { _id })]);
    await sendTraces(scene.server, project.apiKey, [get('/ada', { _id })]);
    await sendTraces(scene.server, project.apiKey, [get('/ada/2')]);
    await sendTraces(scene.server, own.apiKey, [get('/eve')]);
    expect((await adasFeed.next())?._id).toBe(_id);
    expect((await adasFeed.next())?.request.path).toBe('/ada/2');
    expect((await evesFeed.next())?.request.path).toBe('/eve');
    adasFeed.stop();
    evesFeed.stop();
  });

  test('ends when the session ends', async () => {
    const { person } = scene;
    const feed = await watch(person);
    await person.client.call(routes.auth.logout, {});
    expect(await feed.next()).toBeUndefined();
  });

  test('sends the beginning of a long error message, like the list; the trace itself has the complete message', async () => {
    const { person, project } = scene;
    const feed = await watch(person);
    const errorMessage = '𝕏 went wrong '.repeat(1_000);
    await sendTraces(scene.server, project.apiKey, [
      get('/long', { error: { hasError: true, errorMessage } }),
    ]);
    const shown = await feed.next();
    expect([...(shown?.error.errorMessage ?? '')]).toHaveLength(MAX_ROW_TEXT);
    expect((await scene.list())[0]).toEqual(shown);
    expect((await scene.onlyTrace()).error.errorMessage).toBe(errorMessage);
    feed.stop();
  });

  test.runIf(isThorough())(
    'reports to a slow client how many traces were omitted, and then continues',
    async () => {
      const { owner: person } = await makeOrganization(scene.server);
      const project = await makeProject(person);
      const { hostname, port } = new URL(scene.server.url);
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET /api/traces/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.token}\r\n\r\n`,
      );
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      const until = async (found: () => boolean) => {
        while (!found()) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      await until(() => text.includes(': open'));
      socket.pause();
      // A path so long that the rows exceed what the kernel's buffers and the server's queue can store.
      const path = `/${'x'.repeat(8000)}`;
      const COUNT = 1500;
      for (let sent = 0; sent < COUNT; sent += 500) {
        await sendTraces(
          scene.server,
          project.apiKey,
          Array.from({ length: 500 }, () => get(path)),
        );
      }
      socket.resume();
      const shown = () => text.split('event: trace').length - 1;
      const missed = () =>
        [...text.matchAll(/event: gap\ndata: \{"missed":(\d+)\}\n\n/g)].reduce(
          (sum, gap) => sum + Number(gap[1]),
          0,
        );
      await until(() => shown() + missed() >= COUNT);
      expect(missed()).toBeGreaterThan(0);
      expect(shown() + missed()).toBe(COUNT);
      await sendTraces(scene.server, project.apiKey, [get('/after')]);
      await until(() => text.includes('/after'));
      socket.destroy();
    },
    60_000,
  );
});

test('a server that shuts down ends its feeds', async () => {
  const { person } = scene;
  const feed = await watch(person);
  await scene.server.app.stop();
  expect(await feed.next()).toBeUndefined();
});
