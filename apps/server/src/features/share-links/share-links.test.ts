import { MAX_SHARE_LINKS, type Organization, routes } from '@throughline/contract';
import {
  aTrace,
  createFakeClock,
  join,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shareLinks as links } from '../../platform/control-store/index.ts';
import { deleteExpired } from './store.ts';

const DAY_MS = 86_400_000;
const calls = routes.shareLinks;
const clock = createFakeClock();
let server: TestServer;
let owner: Person;
let organization: Organization;
beforeAll(async () => {
  server = await startServer({ clock, env: { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' } });
  ({ owner, organization } = await makeOrganization(server));
});
afterAll(() => server.stop());

let project: TestProject;
let traceId: string;
beforeEach(async () => {
  project = await makeProject(owner, 'shop');
  traceId = await putTrace();
  return async () => {
    await owner.client.call(routes.projects.remove, { params: { id: project.id } });
  };
});

async function putTrace(): Promise<string> {
  const _id = v7({ msecs: clock.now().getTime() });
  const startTime = clock.now().toISOString();
  const request = { method: 'POST', path: '/checkout' };
  await sendTraces(server, project.apiKey, [aTrace({ _id, request, timing: { startTime, duration: 1 } })]);
  return _id;
}

const create = (body: object = {}, who = owner, id = traceId) =>
  who.client.call(calls.create, { params: { id }, body });
const list = async (who = owner) =>
  (await who.client.call(calls.listOfTrace, { params: { id: traceId } })).shareLinks;
const revoke = (linkId: string, who = owner, id = project.id) =>
  who.client.call(calls.revoke, { params: { id, linkId } });
const readToken = (url: string) => url.slice(url.lastIndexOf('/') + 1);
/** Sends each request from a different address, so that the rate limit per address does not reject it. */
let address = 0;
function ask(path: string): Promise<Response> {
  address += 1;
  const forwarded = `198.51.${Math.floor(address / 250)}.${address % 250}`;
  return fetch(`${server.url}${path}`, { headers: { 'x-forwarded-for': forwarded } });
}
const open = (url: string) => ask(`/api/shared/${readToken(url)}`);

describe('a link to a trace', () => {
  test('shows one trace without an account, for seven days and masked by default', async () => {
    const { shareLink, url } = await create();
    expect(shareLink).toMatchObject({
      projectId: project.id,
      traceId,
      values: 'masked',
      createdBy: owner.user.name,
      request: { method: 'POST', path: '/checkout', statusCode: 200 },
    });
    expect(Date.parse(shareLink.expiresAt) - Date.parse(shareLink.createdAt)).toBe(7 * DAY_MS);
    expect(url).toMatch(new RegExp(`^${server.url}/shared/[\\w-]{43}$`));
    const answer = await open(url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ trace: { _id: traceId } });
    const about = await ask(`/api/shared/${readToken(url)}/link`);
    expect(await about.json()).toEqual({
      link: { traceId, values: 'masked', expiresAt: shareLink.expiresAt },
    });
  });

  test('is listed with its author and expiry, but its URL is never shown again', async () => {
    const { url, shareLink } = await create({ values: 'shown', days: 30 });
    const other = await create({ days: 1 });
    expect(await list()).toEqual([other.shareLink, shareLink]);
    const { shareLinks } = await owner.client.call(calls.listOfProject, { params: { id: project.id } });
    expect(shareLinks).toEqual([other.shareLink, shareLink]);
    expect(JSON.stringify(shareLinks)).not.toContain(readToken(url));
    const rows = await server.app.control.db.select().from(links);
    expect(JSON.stringify(rows)).not.toContain(readToken(url));
  });

  test('stops working when it is revoked', async () => {
    const { shareLink, url } = await create();
    await revoke(shareLink.id);
    expect((await open(url)).status).toBe(404);
    expect(await list()).toEqual([]);
    expect(await refusal(revoke(shareLink.id))).toMatchObject({ status: 404 });
  });

  test('stops working when it expires, and is then deleted by the sweep', async () => {
    const { url } = await create({ days: 1 });
    const longer = await create({ days: 30 });
    const madeAt = clock.now();
    clock.advance(DAY_MS - 1);
    expect((await open(url)).status).toBe(200);
    clock.advance(1);
    expect((await open(url)).status).toBe(404);
    const { db } = server.app.control;
    await deleteExpired(db, new Date(madeAt.getTime() + DAY_MS));
    const rows = await db.select().from(links);
    expect(rows.map(({ id }) => id)).toEqual([longer.shareLink.id]);
  });

  test('stops working when its trace or project is deleted', async () => {
    const { url } = await create();
    const other = await create({}, owner, await putTrace());
    await owner.client.call(routes.traces.remove, { params: { id: traceId } });
    expect((await open(url)).status).toBe(404);
    expect((await ask(`/api/shared/${readToken(url)}/link`)).status).toBe(404);
    const { shareLinks } = await owner.client.call(calls.listOfProject, { params: { id: project.id } });
    expect(shareLinks.map(({ request }) => request?.path)).toEqual(['/checkout', undefined]);
    expect((await open(other.url)).status).toBe(200);
    const removed = project;
    project = await makeProject(owner, 'next');
    await owner.client.call(routes.projects.remove, { params: { id: removed.id } });
    expect((await open(other.url)).status).toBe(404);
    expect(await server.app.control.db.$count(links)).toBe(0);
  });

  test('returns the same error from every route if the link is unknown, revoked or expired', async () => {
    const revoked = await create();
    const expired = await create({ days: 1 });
    await revoke(revoked.shareLink.id);
    clock.advance(DAY_MS);
    const tokens = ['x', 'A'.repeat(43), readToken(revoked.url), readToken(expired.url)];
    for (const path of ['', '/link', '/parts/request.body', '/steps/1', '/steps?text=x']) {
      const answers = await Promise.all(
        tokens.map(async (token) => {
          const answer = await ask(`/api/shared/${token}${path}`);
          const { error } = (await answer.json()) as { error: { requestId?: string } };
          return {
            status: answer.status,
            robots: answer.headers.get('x-robots-tag'),
            ...error,
            requestId: '',
          };
        }),
      );
      expect(answers[0], path).toMatchObject({ status: 404, code: 'not_found', robots: 'noindex' });
      for (const answer of answers) expect(answer, path).toEqual(answers[0]);
    }
  });

  test('sends no referrer to other sites, and is excluded from search engines', async () => {
    const { url } = await create();
    for (const answer of [await open(url), await ask(`/shared/${readToken(url)}`)]) {
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    }
    expect((await ask('/login')).headers.get('x-robots-tag')).toBeNull();
  });

  test.runIf(isThorough())('can be opened at most 120 times a minute from one IP address', async () => {
    const token = readToken((await create()).url);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const statuses: number[] = [];
    for (let count = 0; count < 121; count += 1) {
      const answer = await fetch(`${server.url}/api/shared/${token}/link`, { headers });
      statuses.push(answer.status);
      await answer.body?.cancel();
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('share links', () => {
  test('are created and revoked by owners and admins; developers can only see them', async () => {
    const admin = await join(server, owner, organization, 'admin');
    const developer = await join(server, owner, organization, 'developer');
    const { shareLink } = await create({}, admin);
    expect(await refusal(create({}, developer))).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await list(developer)).toEqual([shareLink]);
    expect(await refusal(revoke(shareLink.id, developer))).toMatchObject({ status: 403 });
    await revoke(shareLink.id, owner);
  });

  test("are created only for traces of the user's own projects", async () => {
    const stranger = await signUp(server);
    const theirs = await makeProject(stranger, 'other');
    const { shareLink } = await create();
    expect(await refusal(create({}, stranger))).toMatchObject({ status: 404 });
    expect(await refusal(list(stranger))).toMatchObject({ status: 404 });
    expect(await refusal(revoke(shareLink.id, stranger))).toMatchObject({ status: 404 });
    // The link's id cannot be used with another project that the user owns.
    expect(await refusal(revoke(shareLink.id, stranger, theirs.id))).toMatchObject({ status: 404 });
    expect(await list()).toEqual([shareLink]);
  });

  test.each(
    pickRows(
      [
        [{ days: 2 }, 'days'],
        [{ days: '7' }, 'days'],
        [{ values: 'all' }, 'values'],
      ],
      { usually: 1 },
    ),
  )('are not created with the invalid settings %j', async (body, field) => {
    const error = await refusal(create(body));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.details?.fields?.map(({ path }) => path)).toEqual([field]);
  });

  test.runIf(isThorough())('are limited per trace and per project; expired links do not count', async () => {
    const { db } = server.app.control;
    const put = async (count: number, trace: string, expiresAt: Date) => {
      const rows = Array.from({ length: count }, () => ({
        id: v7() as never,
        projectId: project.id as never,
        traceId: trace,
        values: 'masked' as const,
        tokenHash: v7(),
        createdAt: clock.now(),
        expiresAt,
      }));
      await db.insert(links).values(rows);
    };
    const tomorrow = new Date(clock.now().getTime() + DAY_MS);
    await put(MAX_SHARE_LINKS.trace, traceId, clock.now());
    await put(MAX_SHARE_LINKS.trace - 1, traceId, tomorrow);
    const [first, second] = await Promise.allSettled([create(), create()]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(create())).toMatchObject({
      status: 409,
      code: 'too_many_share_links',
      message: 'This trace has 50 links. Revoke one of them first.',
      details: { limit: 50, used: 50 },
    });
    const other = await putTrace();
    await create({}, owner, other);
    await put(MAX_SHARE_LINKS.project - MAX_SHARE_LINKS.trace - 1, v7(), tomorrow);
    expect(await refusal(create({}, owner, other))).toMatchObject({
      code: 'too_many_share_links',
      details: { limit: 500, used: 500 },
    });
  });

  test.runIf(isThorough())(
    'are in the audit log when they are created and revoked, without their URL',
    async () => {
      const { shareLink, url } = await create({ values: 'shown', days: 1 });
      await revoke(shareLink.id);
      const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
      const [revoked, made] = entries;
      expect(made).toMatchObject({
        action: 'project.trace_shared',
        actor: { email: owner.email },
        target: `shop, trace ${traceId}, values shown, 1 day`,
      });
      expect(revoked).toMatchObject({
        action: 'project.share_link_revoked',
        actor: { email: owner.email },
        target: `shop, trace ${traceId}`,
      });
      expect(JSON.stringify(entries)).not.toContain(readToken(url));
    },
  );

  test.runIf(isThorough())('are also created by solo users, who have no audit log', async () => {
    const solo = await signUp(server);
    const own = await makeProject(solo, 'own');
    const _id = v7({ msecs: clock.now().getTime() });
    const timing = { startTime: clock.now().toISOString(), duration: 1 };
    await sendTraces(server, own.apiKey, [aTrace({ _id, timing })]);
    const { shareLink, url } = await create({}, solo, _id);
    expect((await open(url)).status).toBe(200);
    await revoke(shareLink.id, solo, own.id);
    expect((await open(url)).status).toBe(404);
  });
});
