import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SmtpServer, startSmtpServer } from '../../platform/mail/fixtures/smtp-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SUNDAY = new Date('2026-11-29T12:00:00Z');
const MONDAY = new Date('2026-11-30T08:01:00Z');
const clock = createFakeClock(SUNDAY);
let server: TestServer;
let smtp: SmtpServer;
beforeAll(async () => {
  // Periodic jobs run when a test advances the timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  smtp = await startSmtpServer();
  server = await startServer({
    clock,
    env: { SMTP_URL: smtp.url, PUBLIC_URL: 'https://flows.example' },
  });
});
afterAll(async () => {
  await server.stop();
  await smtp.stop();
  vi.useRealTimers();
});

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

/** Sends requests to `GET /orders`, one a minute from the given time. The requests fail if there is an error message. */
const sendOrders = (apiKey: string, from: Date, requests: number, errorMessage?: string) =>
  sendTraces(
    server,
    apiKey,
    Array.from({ length: requests }, (_one, index) => ({
      request: { method: 'GET', path: '/orders', route: '/orders' },
      timing: { startTime: new Date(from.getTime() + index * MINUTE_MS).toISOString(), duration: 10 },
      response: { statusCode: errorMessage === undefined ? 200 : 500 },
      error: errorMessage === undefined ? { hasError: false } : { hasError: true, errorMessage },
    })),
  );

/** Finds the last mail to a person that matches a pattern, unfolds its headers and decodes its text. */
function readMail(person: Person, pattern: RegExp): string | undefined {
  const mail = smtp.messages.findLast(({ to, data }) => to === person.email && pattern.test(data));
  return mail?.data
    .replace(/\n[ \t]+</g, ' <')
    .replace(/^\.\./gm, '.')
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
}

/** Adds the owner of an organization with a confirmed address and a project. */
async function addOwner(plan: 'enterprise_plus' | 'pro') {
  const { owner } = await makeOrganization(server, plan);
  const confirmation = await until(() => readMail(owner, /verify-email/));
  const token = /verify-email\?token=([\w-]+)/.exec(confirmation)?.[1] ?? '';
  await server.anyone.call(routes.account.verifyEmail, { body: { token } });
  const { id, apiKey } = await makeProject(owner);
  return { owner, id, apiKey };
}

const findDigest = (person: Person) => until(() => readMail(person, /^Subject: Weekly digest/m));
const readChoice = async ({ client }: Person) => (await client.call(routes.digest.read, {})).digest;

test('the digest that a server sends contains the stats, errors, insights and incidents of a project’s week', async () => {
  const { owner, id, apiKey } = await addOwner('enterprise_plus');
  const params = { id };
  const people = [owner.user.id];
  await owner.client.call(routes.alerts.create, { params, body: { kind: 'new_error', people } });
  await sendOrders(apiKey, new Date(SUNDAY.getTime() - 10 * DAY_MS), 60);
  await sendOrders(apiKey, new Date(SUNDAY.getTime() - 9 * DAY_MS), 1, 'cart is empty');
  const { errors } = await owner.client.call(routes.errors.list, {
    params,
    query: { days: '30', state: 'all' },
  });
  const known = errors[0]?.id ?? '';
  await owner.client.call(routes.errors.update, {
    params: { ...params, errorId: known },
    body: { state: 'resolved' },
  });
  clock.advance(HOUR_MS);
  await sendOrders(apiKey, new Date(SUNDAY.getTime() + 30 * MINUTE_MS), 6, 'no table for the country');
  await sendOrders(apiKey, new Date(SUNDAY.getTime() + 40 * MINUTE_MS), 2, 'cart is empty');
  vi.advanceTimersByTime(15_000);
  await until(async () => {
    const { incidents } = await owner.client.call(routes.alerts.incidents, { params, query: {} });
    return incidents[0];
  });
  clock.set(MONDAY);
  vi.advanceTimersByTime(5 * MINUTE_MS);
  const mail = await findDigest(owner);
  const week = new URLSearchParams({ from: '2026-11-23T08:00:00.000Z', to: '2026-11-30T08:00:00.000Z' });
  expect(mail).toContain('Requests: 8 (87 % fewer than the week before)');
  expect(mail).toContain('Error rate: 100.0 % (98.4 points higher than the week before)');
  expect(mail).toContain('P95: 10 ms (same as the week before)');
  expect(mail).toContain('Errors: 1 new, 1 reopened\n    - no table for the country (new, shop, 6 times)');
  expect(mail).toContain(
    `- cart is empty (reopened, shop, 2 times)\n      https://flows.example/errors?project=${id}&${week}&error=${known}`,
  );
  expect(mail).toMatch(/Insights: \d open\n {4}- .*no table for the country/);
  expect(mail).toContain('Alerts: 1 incident, 1 ongoing');
});

test.runIf(isThorough())(
  'on a plan without insights, the digest contains the number of insights, but not what they are',
  async () => {
    clock.set(SUNDAY);
    const { owner, apiKey } = await addOwner('pro');
    await sendOrders(apiKey, new Date(SUNDAY.getTime() - 10 * DAY_MS), 60);
    await sendOrders(apiKey, new Date(SUNDAY.getTime() - HOUR_MS), 6, 'no table for the country');
    clock.set(new Date(MONDAY.getTime() + 2 * HOUR_MS));
    // The digest covers the week that ended on Monday at 08:00 UTC, so this error must not count.
    await sendOrders(apiKey, new Date(MONDAY.getTime() + HOUR_MS), 6, 'out of memory');
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const mail = await findDigest(owner);
    expect(mail).toContain('Insights: 1 open\n    - To see these insights, upgrade to Enterprise Plus');
    expect(mail).not.toContain('New error: no table');
  },
);

test('the link of a digest unsubscribes without a login, for mail programs and for people', async () => {
  clock.set(SUNDAY);
  const { owner, apiKey } = await addOwner('pro');
  await sendOrders(apiKey, new Date(SUNDAY.getTime() - DAY_MS), 3);
  clock.set(new Date(MONDAY.getTime() + 3 * HOUR_MS));
  vi.advanceTimersByTime(5 * MINUTE_MS);
  const mail = await findDigest(owner);
  const link = /^List-Unsubscribe: <https:\/\/flows\.example(\/unsubscribe\/[\w-]+)>$/m.exec(mail)?.[1] ?? '';
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(mail).toContain(`Unsubscribe:\nhttps://flows.example${link}`);
  const one = (body: string | FormData, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${link}`, { method: 'POST', body, headers });

  // Mail scanners open links, so opening the link must not unsubscribe.
  const page = await fetch(`${server.url}${link}`);
  expect(await page.text()).toContain('<div id="root">');
  expect(await readChoice(owner)).toEqual({ on: true, mailServer: true });

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await one('List-Unsubscribe=One-Click', form)).status).toBe(200);
  expect(await readChoice(owner)).toMatchObject({ on: false });

  await owner.client.call(routes.digest.update, { body: { on: true } });
  const parts = new FormData();
  parts.set('List-Unsubscribe', 'One-Click');
  expect((await one(parts)).status).toBe(200);
  expect(await readChoice(owner)).toMatchObject({ on: false });

  await owner.client.call(routes.digest.update, { body: { on: true } });
  await server.anyone.call(routes.digest.unsubscribe, { body: { token: link.split('/')[2] ?? '' } });
  expect(await readChoice(owner)).toMatchObject({ on: false });
});

test('a link that the server did not create unsubscribes nobody', async () => {
  const person = await signUp(server);
  for (const token of ['abc', Buffer.alloc(64).toString('base64url'), person.user.id]) {
    const answer = await fetch(`${server.url}/unsubscribe/${token}`, { method: 'POST' });
    expect(answer.status).toBe(400);
    const refused = await refusal(server.anyone.call(routes.digest.unsubscribe, { body: { token } }));
    expect(refused.message).toBe('This link is invalid. Turn the weekly digest off in Settings.');
  }
  expect(await readChoice(person)).toMatchObject({ on: true });
});
