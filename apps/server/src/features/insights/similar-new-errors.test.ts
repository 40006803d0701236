import { type Finding, routes } from '@throughline/contract';
import { createFakeClock, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const NOW_MS = Date.parse('2026-11-21T15:30:00Z');
const DAY_MINUTES = 24 * 60;
const NAMES = ['Ada Moreau', 'Ken Tanaka', 'Radia de la Silva', 'Alan Novak', 'Grace Okafor', 'Ines Weber'];
const file = serverOfFile({ clock: createFakeClock(new Date(NOW_MS)) });

const request = (minutesAgo: number, errorMessage?: string) => ({
  request: { method: 'POST', path: '/orders', route: '/orders' },
  response: { statusCode: errorMessage === undefined ? 200 : 500 },
  timing: { startTime: new Date(NOW_MS - minutesAgo * 60_000).toISOString(), duration: 10 },
  ...(errorMessage !== undefined && { error: { hasError: true, errorMessage } }),
  flow: [],
});
const healthy = Array.from({ length: 200 }, (_, at) => request((9 * DAY_MINUTES * (at + 1)) / 200));
const fail = (names: readonly string[], minutesAgo: number) =>
  names.map((name, at) => request(minutesAgo - at, `The customer ${name} has no credit limit`));

/** Returns the findings about new errors, and the number of requests in the list to which each finding links. */
async function findNewErrors(failed: readonly ReturnType<typeof request>[]) {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const { id, apiKey } = await makeProject(owner);
  await sendTraces(file.server, apiKey, [...healthy, ...failed]);
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
  const found = insights.findings.filter((finding: Finding) => finding.kind === 'newError');
  return Promise.all(
    found.map(async ({ title, detail, requestCount, traces, since }) => {
      const list = await owner.client.call(routes.traces.list, {
        query: { ...traces, limit: '500' } as never,
      });
      return { title, detail, since, requestCount, listed: list.total };
    }),
  );
}

test('a new error whose messages contain different names is one finding, with all its requests', async () => {
  expect(await findNewErrors(fail(NAMES, 120))).toEqual([
    {
      title: 'New error: The customer … has no credit limit',
      detail:
        'Not seen in the previous period. Its 6 messages differ only in the words shown as …; the Errors page lists each of them. The error affects one endpoint.',
      since: new Date(NOW_MS - 120 * 60_000).toISOString().replace('Z', '000Z'),
      requestCount: 6,
      listed: 6,
    },
  ]);
});

test('an error whose messages contain names is not new if it occurred before with other names', async () => {
  const before = fail(NAMES.slice(0, 4), 8.5 * DAY_MINUTES);
  expect(await findNewErrors([...before, ...fail(NAMES.slice(4), 120), ...fail(['Mo Farouk'], 60)])).toEqual(
    [],
  );
});

test('four similar messages remain separate errors, whose requests are counted separately', async () => {
  const [first = '', ...others] = NAMES.slice(0, 4);
  const failed = [...fail([first, first, first], 120), ...fail(others, 60)];
  expect((await findNewErrors(failed)).map(({ title, requestCount }) => [title, requestCount])).toEqual([
    ['New error: The customer Ada Moreau has no credit limit', 3],
  ]);
});

test('a new error with names in its messages is not reported a second time as a higher error rate', async () => {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const { id, apiKey } = await makeProject(owner);
  const names = ['Ada', 'Mo', 'Ines', 'Alan', ...Array.from({ length: 60 }, () => 'Ken')];
  const many = Array.from({ length: 1500 }, (_, at) => request((9 * DAY_MINUTES * (at + 1)) / 1500));
  await sendTraces(file.server, apiKey, [...many, ...fail(names, 300)]);
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
  const ofErrors = insights.findings.filter(({ title }) => !title.includes('traffic'));
  expect(ofErrors.map(({ title, requestCount }) => [title, requestCount])).toEqual([
    ['New error: The customer … has no credit limit', 64],
  ]);
});

test('similar messages that occurred only in staging before are one new error in production', async () => {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const { id, apiKey } = await makeProject(owner);
  const sendTo = (environment: string, traces: readonly ReturnType<typeof request>[]) =>
    sendTraces(file.server, apiKey, traces, { name: 'shop', environment });
  await sendTo('staging', fail(NAMES.slice(0, 3), 8.5 * DAY_MINUTES));
  const many = Array.from({ length: 800 }, (_, at) => request((14 * DAY_MINUTES * (at + 1)) / 800));
  const names = ['Mo', 'Ines', 'Ken'].flatMap((name) => Array.from({ length: 8 }, () => name));
  await sendTo('production', [...many, ...fail(names, 120)]);
  const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
  expect(insights.findings.map(({ title, requestCount }) => [title, requestCount])).toEqual([
    ['New error in production: The customer … has no credit limit', 24],
  ]);
});

test('if there are more similar messages than a list can be filtered by, one finding covers only the most frequent messages', async () => {
  const names = Array.from(
    { length: 70 },
    (_, at) => `${String.fromCharCode(65 + (at % 26))}${'a'.repeat(1 + at / 26)}`,
  );
  const [found] = await findNewErrors(fail(names, 120));
  expect([found?.requestCount, found?.listed]).toEqual([50, 50]);
});
