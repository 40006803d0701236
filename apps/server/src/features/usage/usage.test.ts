import { routes } from '@throughline/contract';
import {
  aTrace,
  awaitMail,
  createFakeClock,
  join,
  logIn,
  mailTo,
  makeOrganization,
  makeProject,
  type Person,
  postBody,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { otlpProtobuf, otlpRequest, otlpSpan, postSpans } from '@throughline/testkit/otlp';
import { isThorough } from '@throughline/testkit/thorough';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usageMonths } from '../../platform/control-store/index.ts';
import { type OrganizationId, readId } from '../../platform/ids.ts';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const buildBatch = (count: number) =>
  JSON.stringify({
    traces: Array.from({ length: count }, () =>
      aTrace({ timing: { startTime: clock.now().toISOString(), duration: 1 } }),
    ),
  });
const send = (apiKey: string, count: number) => postBody(server, apiKey, buildBatch(count));
const readUsage = async (person: Person) => (await person.client.call(routes.usage.read, {})).usage;
const shown = async (person: Person, projectId: string) =>
  (await person.client.call(routes.traces.list, { query: { projectId, limit: 1 } })).total;

const toOrganizationId = ({ id }: { readonly id: string }): OrganizationId => {
  const account = readId<OrganizationId>(id);
  if (account === undefined) throw new Error(`${id} is no id`);
  return account;
};

describe('the free trial, which includes 1,000 traces per month and accepts 5 % more,', () => {
  test('accepts the traces of a batch that fit the quota, and names the rejected traces by index', async () => {
    const person = await signUp(server);
    const { id, apiKey } = await makeProject(person);
    expect((await send(apiKey, 700)).body).toEqual({ accepted: 700, rejected: [] });
    const crossing = await send(apiKey, 400);
    expect(crossing.status).toBe(200);
    expect(crossing.body).toEqual({
      accepted: 350,
      rejected: Array.from({ length: 50 }, (_rejection, place) => ({
        index: 350 + place,
        code: 'quota_exceeded',
        message: expect.any(String),
      })),
    });
    const over = await send(apiKey, 1);
    expect(over.status).toBe(429);
    const { currentPeriodEnd, traces } = await readUsage(person);
    expect(traces).toEqual({ used: 1050, limit: 1000 });
    const message = `Free Trial includes 1,000 traces per month, and 1,050 are used. Upgrade to Starter for 200,000 traces per month. The quota is reset on ${currentPeriodEnd.slice(0, 10)}.`;
    expect(over.body).toMatchObject({
      upgradeRequired: true,
      error: {
        code: 'quota_exceeded',
        message,
        details: { upgradeRequired: true, gate: 'traces', limit: 1000, used: 1050, upgradeTo: 'starter' },
      },
    });
    expect(crossing.body).toHaveProperty('rejected.0.message', message);
    const waitMs = Number(over.headers.get('retry-after')) * 1000;
    expect(Math.abs(clock.now().getTime() + waitMs - Date.parse(currentPeriodEnd))).toBeLessThan(2000);
    expect(await shown(person, id)).toBe(1050);

    const otlp = await postSpans(server, apiKey, otlpProtobuf(otlpRequest('shop', [otlpSpan(1, undefined)])));
    expect(otlp.status).toBe(429);
    expect(otlp.headers.get('retry-after')).toBe(over.headers.get('retry-after'));
    expect(otlp.bytes[1]).toBe(8);
  });

  test('counts a trace once, and does not lower the count when traces are deleted', async () => {
    const person = await signUp(server);
    const { id, apiKey } = await makeProject(person);
    const body = buildBatch(10);
    const key = { 'idempotency-key': 'once' };
    await postBody(server, apiKey, body, key);
    await postBody(server, apiKey, body, key);
    await Promise.all([1, 2, 3].map(() => postBody(server, apiKey, body, { 'idempotency-key': 'at once' })));
    expect((await readUsage(person)).traces.used).toBe(20);
    await person.client.call(routes.traces.removeOfProject, { params: { id } });
    await person.client.call(routes.projects.remove, { params: { id } });
    expect((await readUsage(person)).traces.used).toBe(20);
  });

  test('accepts a batch that was rejected for lack of quota if the batch is sent again later under the same idempotency key', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { apiKey } = await makeProject(owner);
    const { db } = server.app.control;
    const { currentPeriodStart } = await readUsage(owner);
    const month = { accountId: toOrganizationId(organization), periodStart: new Date(currentPeriodStart) };
    await db.insert(usageMonths).values({ ...month, traces: 2_100_000 });
    const body = buildBatch(3);
    const key = { 'idempotency-key': 'later' };
    const full = await postBody(server, apiKey, body, key);
    expect(full.status).toBe(429);
    // `used` is the number of traces that were really used. It is above the limit, because 5 % more are accepted.
    expect(full.body).toMatchObject({
      error: { details: { used: 2_100_000, upgradeTo: 'enterprise_basic' } },
    });
    const params = { id: organization.id };
    await owner.client.call(routes.billing.changeOrganizationPlan, {
      params,
      body: { plan: 'enterprise_basic' },
    });
    clock.advance(11_000);
    expect((await postBody(server, apiKey, body, key)).body).toEqual({ accepted: 3, rejected: [] });
  });

  test('accepts traces within a minute after quota was released', async () => {
    const { owner, organization } = await makeOrganization(server);
    const { apiKey } = await makeProject(owner);
    const { db } = server.app.control;
    const accountId = toOrganizationId(organization);
    const periodStart = new Date((await readUsage(owner)).currentPeriodStart);
    await db.insert(usageMonths).values({ accountId, periodStart, traces: 2_100_000 });
    expect((await send(apiKey, 1)).status).toBe(429);
    await db.update(usageMonths).set({ traces: 2_099_999 }).where(eq(usageMonths.accountId, accountId));
    clock.advance(60_000);
    expect((await send(apiKey, 1)).status).toBe(200);
    expect((await send(apiKey, 1)).status).toBe(429);
  });

  test('stores spans of the requests that fit the quota, and rejects spans of the requests beyond the quota', async () => {
    const person = await signUp(server);
    const { id, apiKey } = await makeProject(person);
    await send(apiKey, 1049);
    const traceId = (last: number) => last.toString(16).padStart(32, 'b');
    const at = {
      startTimeUnixNano: String(clock.nowMicros() * 1000n),
      endTimeUnixNano: String(clock.nowMicros() * 1000n),
    };
    const spans = [1, 2].flatMap((one) => [
      otlpSpan(one, undefined, { traceId: traceId(one), ...at }),
      otlpSpan(one + 10, one, { traceId: traceId(one), ...at }),
    ]);
    const reply = await postSpans(server, apiKey, JSON.stringify(otlpRequest('shop', spans)), {
      'content-type': 'application/json',
    });
    expect(JSON.parse(reply.bytes.toString())).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
    expect(await shown(person, id)).toBe(1050);
    const { traces } = await person.client.call(routes.traces.byTraceId, { params: { traceId: traceId(1) } });
    expect(traces[0]?.stepCount).toBe(1);
  });
});

describe('the owner of an account', () => {
  test('is notified at 80 and at 100 percent of the quota, once each by banner and email; other members are not notified', async () => {
    const { owner, organization } = await makeOrganization(server);
    const developer = await join(server, owner, organization);
    const { apiKey } = await makeProject(owner);
    const { db } = server.app.control;
    const accountId = toOrganizationId(organization);
    const { currentPeriodStart, notices } = await readUsage(owner);
    expect(notices).toEqual([]);
    await db
      .insert(usageMonths)
      .values({ accountId, periodStart: new Date(currentPeriodStart), traces: 1_599_998 });
    await send(apiKey, 1);
    expect((await readUsage(owner)).notices).toEqual([]);
    await send(apiKey, 1);
    await send(apiKey, 1);
    const since = clock.now().toISOString();
    expect((await readUsage(owner)).notices).toEqual([
      { kind: 'quota_80', message: expect.stringContaining('2,000,000'), since },
    ]);
    await db.update(usageMonths).set({ traces: 1_999_999 }).where(eq(usageMonths.accountId, accountId));
    await send(apiKey, 2);
    expect((await readUsage(owner)).notices.map(({ kind }) => kind)).toEqual(['quota_100']);
    expect((await readUsage(developer)).notices).toEqual([]);
    expect((await readUsage(developer)).traces.used).toBe(2_000_001);
    const mail = await awaitMail(server, owner.email, '100 %');
    expect(mail.text).toContain('/billing');
    const mails = await mailTo(server, owner.email);
    expect(mails.filter(({ subject }) => subject.includes('%')).map(({ subject }) => subject)).toEqual([
      "80 % of this month's traces are used",
      "100 % of this month's traces are used",
    ]);
  });

  test.runIf(isThorough())(
    'starts a new month with zero usage, and is notified when the trial has ended',
    async () => {
      const person = await signUp(server);
      const { apiKey } = await makeProject(person);
      await send(apiKey, 5);
      const before = await readUsage(person);
      clock.advance(8 * DAY_MS);
      const again = () => logIn(server, person.email, person.password);
      expect((await readUsage(await again())).notices.map(({ kind }) => kind)).toEqual(['trial_ended']);
      const refused = await send(apiKey, 1);
      expect(refused.status).toBe(402);
      expect(refused.body).toMatchObject({ error: { code: 'trial_expired' } });
      clock.set(new Date(before.currentPeriodEnd));
      const after = await readUsage(await again());
      expect(after.traces.used).toBe(0);
      expect(after.currentPeriodStart).toBe(before.currentPeriodEnd);
    },
  );
});
