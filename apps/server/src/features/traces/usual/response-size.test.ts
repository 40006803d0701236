import { PLAN_IDS, PLANS, routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, type Person, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const file = serverOfFile();
const NOW = Date.now();

type Sent = Parameters<typeof sendTraces>[2][number];
type Response = NonNullable<Sent['response']>;

const stated = (bytes: number): Response => ({
  statusCode: 200,
  headers: { 'content-length': String(bytes) },
});
/** A response without Content-Length. The SDK counted the bytes and captured only the beginning. */
const chunked = (length: number): Response => ({
  statusCode: 200,
  headers: { 'transfer-encoding': 'chunked' },
  body: { $type: 'string', value: '[{"id":', length },
});
const leftOut = (size: number): Response => ({
  statusCode: 200,
  headers: {},
  body: { $type: 'cut', of: 'application/pdf', size, reason: 'bytes' },
});
const captured = (characters: number): Response => ({
  statusCode: 200,
  headers: {},
  body: 'x'.repeat(characters - 2),
});

function sent(response: Response, minutesAgo: number, more: Partial<Sent['request']> = {}): Sent {
  return aTrace({
    request: { method: 'GET', path: '/orders', route: '/orders', ...more },
    response,
    timing: { startTime: new Date(NOW - minutesAgo * 60_000).toISOString(), duration: 5 },
  });
}

const usualRequests = (count = 5) =>
  Array.from({ length: count }, (_, at) => sent(stated(20_000 + at * 1000), 10 + at));

/** Sends the traces, and returns what stands out in the newest one. */
async function ask(traces: readonly Sent[], person?: Person) {
  const owner = person ?? (await signUp(file.server));
  const project = await makeProject(owner);
  await sendTraces(file.server, project.apiKey, traces);
  const query = { projectId: project.id, limit: 1 } as const;
  const { traces: rows } = await owner.client.call(routes.traces.list, { query });
  const read = () => owner.client.call(routes.traces.standsOut, { params: { id: rows[0]?._id ?? '' } });
  return { owner, read, texts: (await read()).statements.map(({ text }) => text) };
}

const SAID = 'The response has 4.2 MB; the median of 5 requests to this endpoint is 22 kB';

test.each([
  ['with Content-Length', stated(4_200_000)],
  ['of which the SDK captured the beginning', chunked(4_200_000)],
  ['of which the SDK captured only the size', leftOut(4_200_000)],
])('a much larger response %s is reported', async (_, response) => {
  expect((await ask([...usualRequests(), sent(response, 1)])).texts).toEqual([SAID]);
});

test.each([
  ['with Content-Length', stated(25_000)],
  ['of which the SDK captured the beginning', chunked(25_000)],
  ['of which the SDK captured only the size', leftOut(25_000)],
  ['that were captured', captured(25_000)],
])('responses %s count as other responses', async (_, response) => {
  const others = Array.from({ length: 5 }, (_item, at) => sent(response, 10 + at));
  expect((await ask([...others, sent(stated(4_200_000), 1)])).texts).toEqual([
    'The response has 4.2 MB; the median of 5 requests to this endpoint is 25 kB',
  ]);
});

test.each<readonly [string, readonly Sent[], Sent]>([
  [
    'other responses of unknown size, failed responses, and responses of another endpoint do not count',
    [
      ...usualRequests(4),
      sent({ statusCode: 200, headers: {} }, 20),
      sent({ ...stated(20_000), statusCode: 404 }, 21),
      sent(stated(20_000), 22, { method: 'POST' }),
      sent(stated(20_000), 23, { route: '/carts' }),
    ],
    sent(stated(4_200_000), 1),
  ],
  [
    'an equally large response to the endpoint shows that its size is usual',
    [...usualRequests(), sent(chunked(4_200_000), 30)],
    sent(stated(4_200_000), 1),
  ],
  [
    'a response to HEAD has no body, although it states a size',
    Array.from({ length: 5 }, (_, at) => sent(stated(20_000), 10 + at, { method: 'HEAD' })),
    sent(stated(4_200_000), 1, { method: 'HEAD' }),
  ],
])('%s', async (_, others, request) => {
  expect((await ask([...others, request])).texts).toEqual([]);
});

test('the size of a failed response is not compared', async () => {
  const { texts } = await ask([...usualRequests(), sent({ ...stated(4_200_000), statusCode: 404 }, 1)]);
  expect(texts.filter((text) => text.includes('response'))).toEqual([]);
});

test('the statement about a large response is the same on every plan', async () => {
  const traces = [...usualRequests(), sent(stated(4_200_000), 1)];
  const solo = await ask(traces);
  const { owner, organization } = await makeOrganization(file.server, 'enterprise_basic');
  const shared = await ask(traces, owner);
  for (const plan of PLAN_IDS) {
    const isSolo = PLANS[plan].kinds.includes('solo');
    if (isSolo) await file.server.app.setPlan({ email: solo.owner.email, plan });
    else
      await owner.client.call(routes.billing.changeOrganizationPlan, {
        params: { id: organization.id },
        body: { plan },
      });
    const { statements } = await (isSolo ? solo : shared).read();
    expect(
      statements.map(({ text }) => text),
      plan,
    ).toEqual([SAID]);
  }
});
