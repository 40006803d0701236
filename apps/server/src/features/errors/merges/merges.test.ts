import { createHash } from 'node:crypto';
import { MAX_ERROR_MERGES, MAX_MERGED_ERRORS, routes } from '@throughline/contract';
import { aTrace, join, refusal, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { type SentError, startErrorScene } from '../fixtures/error-scene.ts';

const file = serverOfFile();

/** Returns the id of an error with this message, by default of the service shop. */
const hashError = (message: string, service = 'shop') =>
  createHash('md5').update(`${service}\n${message}`).digest('hex');

async function aScene(...sent: readonly SentError[]) {
  const scene = await startErrorScene(file.server);
  await scene.send(...sent);
  const { client } = scene.person;
  const { id } = scene.project;
  const merge = async (errorId: string, ...errorIds: string[]) =>
    (await client.call(routes.errors.merge, { params: { id, errorId }, body: { errorIds } })).errorId;
  const splitOff = (errorId: string, mergedId: string) =>
    client.call(routes.errors.splitOff, { params: { id, errorId, mergedId } });
  const listTraces = async (errorIds: string) =>
    (await client.call(routes.traces.list, { query: { projectId: id, errorIds } })).traces;
  return { ...scene, merge, splitOff, listTraces };
}

const DECLINED = { message: 'card declined', hoursAgo: 5, user: 'ada', release: '1.0' };
const REFUSED = { message: 'card refused', hoursAgo: 30, user: 'eve', path: '/pay', service: 'billing' };
const [declined, refused] = [hashError(DECLINED.message), hashError(REFUSED.message, 'billing')];

describe('merged errors', () => {
  test('are one row with the total count, the users of all merged errors, the first and last time, and all services', async () => {
    const { merge, list, send } = await aScene(
      DECLINED,
      { ...DECLINED, user: 'bob' },
      REFUSED,
      { ...REFUSED, user: 'ada', hoursAgo: 2 },
      { message: 'timed out' },
    );
    const before = new Map((await list()).map((error) => [error.id, error]));
    expect(await merge(declined, refused)).toBe(declined);
    const errors = await list();
    expect(errors.map(({ message }) => message)).toEqual(['timed out', 'card declined']);
    const [, merged] = errors;
    expect(merged).toMatchObject({
      id: declined,
      merged: [refused],
      service: 'shop',
      services: ['billing', 'shop'],
      count: 4,
      users: 3,
      endpoints: 2,
      firstSeen: before.get(refused)?.firstSeen,
      lastSeen: before.get(refused)?.lastSeen,
      state: 'ongoing',
    });
    expect(merged?.trend.reduce((sum, part) => sum + part, 0)).toBe(4);
    await send({ ...REFUSED, hoursAgo: 0 });
    expect((await list())[0]).toMatchObject({ id: declined, count: 5 });
  });

  test.runIf(isThorough())('have one detail page, which the ids of all merged errors open', async () => {
    const good = Array.from({ length: 40 }, () => ({ path: '/pay', service: 'billing', country: 'GB' }));
    const { merge, read, compare, listTraces, person, project } = await aScene(
      { ...DECLINED, country: 'UK' },
      ...Array.from({ length: 20 }, () => ({ ...REFUSED, country: 'UK' })),
      ...good,
    );
    await merge(declined, refused);
    const detail = await read(refused);
    expect(detail.error.id).toBe(declined);
    expect(await read(declined)).toEqual(detail);
    expect(detail.people.map(({ userId, count }) => [userId, count])).toEqual([
      ['eve', 20],
      ['ada', 1],
    ]);
    expect(detail.traces).toHaveLength(10);
    expect(detail.traces[0]?.error.errorMessage).toBe('card declined');
    const comparison = await compare(refused);
    expect(comparison).toMatchObject({ matching: 21, others: 40 });
    expect(comparison.differences[0]?.term).toBe('country:UK');
    expect(await compare(declined)).toEqual(comparison);
    expect(detail.parts).toMatchObject([
      { id: declined, service: 'shop', message: 'card declined', count: 1 },
      { id: refused, service: 'billing', message: 'card refused', count: 20 },
    ]);
    expect(await listTraces(`${declined},${refused}`)).toHaveLength(21);
    expect(await listTraces(refused)).toHaveLength(20);
    const params = { id: project.id, errorId: refused };
    const { throwing } = await person.client.call(routes.errors.throwing, { params, query: {} });
    expect(throwing).toBeNull();
  });

  test.runIf(isThorough())(
    'have the state, note and assignee of their target until they are split off',
    async () => {
      const { merge, splitOff, list, update, send, person } = await aScene(DECLINED, REFUSED);
      await update(refused, { state: 'ignored', note: 'of the bank' });
      await update(declined, { note: 'of the shop', assignee: person.user.id });
      await merge(declined, refused);
      expect(await list({ state: 'all' })).toMatchObject([
        { id: declined, state: 'ongoing', note: 'of the shop', assignee: { id: person.user.id } },
      ]);
      expect(await list({ assigned: 'me' })).toMatchObject([{ id: declined, count: 2 }]);
      expect(await update(refused, { state: 'resolved' })).toMatchObject({ id: declined, state: 'resolved' });
      await send({ ...REFUSED, hoursAgo: 0 });
      expect(await list()).toMatchObject([{ id: declined, state: 'reopened' }]);
      await splitOff(declined, refused);
      expect((await list({ state: 'all' })).map(({ id, state, note }) => [id, state, note])).toEqual([
        [refused, 'ignored', 'of the bank'],
        [declined, 'resolved', 'of the shop'],
      ]);
    },
  );

  test('can be merged into another error together with the errors that they contain, and a repeated merge changes nothing', async () => {
    const [a, b, c, d] = ['of a', 'of b', 'of c', 'of d'] as const;
    const { merge, splitOff, list, listAudit, project, person } = await aScene(
      ...[a, b, c, d].map((message) => ({ message })),
    );
    await merge(hashError(a), hashError(b));
    expect(await merge(hashError(b), hashError(c))).toBe(hashError(a));
    expect(await merge(hashError(a), hashError(b), hashError(c))).toBe(hashError(a));
    // Error c was merged into a, so this merges a into d, with all errors that were merged into a.
    expect(await merge(hashError(d), hashError(c))).toBe(hashError(d));
    expect(await list()).toMatchObject([{ id: hashError(d), count: 4 }]);
    expect((await list())[0]?.merged.toSorted()).toEqual(
      [hashError(a), hashError(b), hashError(c)].toSorted(),
    );
    await splitOff(hashError(a), hashError(b));
    expect(await refusal(splitOff(hashError(d), hashError(b)))).toMatchObject({ status: 404 });
    expect(await refusal(splitOff(hashError(d), hashError(d)))).toMatchObject({ status: 404 });
    expect((await list()).map(({ message, count }) => [message, count]).toSorted()).toEqual([
      [b, 1],
      [d, 3],
    ]);
    const { name } = project.project;
    expect((await listAudit()).toReversed()).toEqual([
      ['project.errors_merged', person.email, `${name}, error ${hashError(a)}, with ${hashError(b)}`],
      ['project.errors_merged', person.email, `${name}, error ${hashError(a)}, with ${hashError(c)}`],
      [
        'project.errors_merged',
        person.email,
        expect.stringContaining(`${name}, error ${hashError(d)}, with ${hashError(a)}, `),
      ],
      ['project.error_split_off', person.email, `${name}, error ${hashError(b)}, from ${hashError(d)}`],
    ]);
  });

  test('cannot form a cycle of merges, even in concurrent requests', async () => {
    const [a, b] = [hashError('of a'), hashError('of b')];
    const { merge, list } = await aScene({ message: 'of a' }, { message: 'of b' });
    expect(await refusal(merge(a, a))).toMatchObject({ status: 400, code: 'validation_failed' });
    const done = await Promise.allSettled([merge(a, b), merge(b, a)]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await list()).toMatchObject([{ count: 2 }]);
    const [target, other] = (await list())[0]?.id === a ? [a, b] : [b, a];
    expect(await refusal(merge(other, target))).toMatchObject({
      status: 400,
      details: { fields: [{ path: 'errorIds' }] },
    });
  });

  test('can be merged and split off by several members at the same time without a lost change', async () => {
    const messages = [...'abcdefgh'].map((letter) => `of ${letter}`);
    const scene = await aScene(...messages.map((message) => ({ message })));
    const developer = await join(file.server, scene.person, scene.organization, 'developer');
    const [first = '', ...others] = messages.map((message) => hashError(message));
    const params = { id: scene.project.id, errorId: first };
    await Promise.all(
      others.map((id, at) =>
        (at % 2 === 0 ? developer : scene.person).client.call(routes.errors.merge, {
          params,
          body: { errorIds: [id] },
        }),
      ),
    );
    expect(await scene.list()).toMatchObject([{ id: first, count: 8 }]);
    await Promise.all(others.map((id) => scene.splitOff(first, id)));
    expect(await scene.list()).toHaveLength(8);
  });

  test('must belong to the same project', async () => {
    const [one, other] = [await aScene(DECLINED), await aScene(REFUSED)];
    for (const id of [refused, 'x', "' OR 1=1 --", 'f'.repeat(32), declined.toUpperCase(), ''])
      expect(await refusal(one.merge(declined, id)), id).toMatchObject({ status: 404 });
    for (const id of [refused, 'x', 'f'.repeat(32)]) {
      expect(await refusal(one.merge(id, declined)), id).toMatchObject({ status: 404 });
      expect(await refusal(one.splitOff(declined, id)), id).toMatchObject({ status: 404 });
    }
    expect(await refusal(one.merge(declined))).toMatchObject({ status: 400 });
    const params = { id: one.project.id, errorId: declined };
    const body = { errorIds: [declined] };
    const strangers = other.person.client.call(routes.errors.merge, { params, body });
    expect(await refusal(strangers)).toMatchObject({ status: 404 });
    expect(await one.list()).toMatchObject([{ id: declined, merged: [] }]);
  });

  test.runIf(isThorough())(
    'are limited in number per error and per project',
    { timeout: 60_000 },
    async () => {
      const words = Array.from({ length: MAX_ERROR_MERGES + 20 }, (_, at) =>
        [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join(''),
      );
      const { merge, list, project, server } = await aScene();
      const traces = words.map((word) =>
        aTrace({ response: { statusCode: 500 }, error: { hasError: true, errorMessage: `of ${word}` } }),
      );
      for (let at = 0; at < traces.length; at += 100)
        await sendTraces(server, project.apiKey, traces.slice(at, at + 100), { name: 'shop' });
      const ids = words.map((word) => hashError(`of ${word}`));
      const chunks: string[][] = [];
      for (let at = 0; at < ids.length; at += MAX_MERGED_ERRORS)
        chunks.push(ids.slice(at, at + MAX_MERGED_ERRORS));
      for (const [target = '', ...others] of chunks.slice(0, -1)) await merge(target, ...others);
      const [[first = ''] = [], [second = ''] = []] = chunks;
      expect((await list()).find(({ id }) => id === first)?.count).toBe(MAX_MERGED_ERRORS);
      const tooMany = { status: 400, details: { fields: [{ path: 'errorIds' }] } };
      expect(await refusal(merge(first, second))).toMatchObject(tooMany);
      const [target = '', ...others] = chunks.at(-1) ?? [];
      expect(await refusal(merge(target, ...others))).toMatchObject({
        ...tooMany,
        message: expect.stringContaining('Split some off first'),
      });
      expect(await merge(target, ...others.slice(0, 10))).toBe(target);
    },
  );
});
