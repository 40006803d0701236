import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, type Finding, listPlansOfKind, routes } from '@throughline/contract';
import {
  createFakeClock,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { otlpRequest, sendSpans } from '@throughline/testkit/otlp';
import { isThorough, pickRows, repetitions } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayDepend } from '../step-patterns/index.ts';
import { KINDS, type Kind, plantedTraces, REQUESTS_OF_PERIOD } from './fixtures/planted.ts';
import { plantedSpans } from './fixtures/planted-spans.ts';

const NOW_MS = Date.parse('2026-11-21T23:30:00Z');
const clock = createFakeClock(new Date(NOW_MS));

/** The requests that the language model received, and the response that it sends next. */
const asked: { readonly url: string; readonly authorization: string | undefined; readonly body: string }[] =
  [];
let reply = {
  status: 200,
  body: JSON.stringify({ choices: [{ message: { content: ' Look at orders first. ' } }] }),
};
const model = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += String(chunk);
  });
  request.on('end', () => {
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  });
});

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const { port } = model.address() as AddressInfo;
  server = await startServer({
    clock,
    env: {
      INSIGHTS_LLM_URL: `http://127.0.0.1:${port}/v1`,
      INSIGHTS_LLM_KEY: 'key-of-the-model',
      INSIGHTS_LLM_MODEL: 'small',
    },
  });
  owner = (await makeOrganization(server, 'enterprise_plus')).owner;
});
afterAll(async () => {
  await server.stop();
  await new Promise((resolve) => model.close(resolve));
});

async function projectWith(seed: number, planted: readonly Kind[]) {
  const project = await makeProject(owner);
  await sendTraces(server, project.apiKey, plantedTraces(seed, NOW_MS, new Set(planted)));
  return project;
}
const readInsights = async (id: string) =>
  (await owner.client.call(routes.analytics.insights, { params: { id } })).insights;

/**
 * Checks that each finding's link shows the number of requests that the finding states, and that the first request is at the stated time.
 */
async function expectAllShown(findings: readonly Finding[]) {
  expect(findings.length).toBeGreaterThan(0);
  for (const { kind, traces, requestCount, since } of findings) {
    const list = await owner.client.call(routes.traces.list, { query: { ...traces, limit: '500' } as never });
    expect([kind, list.total]).toEqual([kind, requestCount]);
    expect([kind, list.traces.at(-1)?.timing.startTime]).toEqual([kind, since]);
  }
}

describe('a finding', () => {
  test('is reported for each planted problem, and for nothing else', {
    timeout: repetitions({ usually: 120_000, thoroughly: 3_600_000 }),
  }, async () => {
    const runs = repetitions({ usually: 1, thoroughly: 100 });
    const tally = Object.fromEntries(KINDS.map((kind) => [kind, { planted: 0, found: 0, alarms: 0 }]));
    for (let seed = 1; seed <= runs; seed += 1) {
      for (const planted of [KINDS, []]) {
        const { id } = await projectWith(seed, planted);
        const { findings, requestCount } = await readInsights(id);
        expect(requestCount).toBe(REQUESTS_OF_PERIOD);
        for (const kind of KINDS) {
          const counts = tally[kind];
          if (counts === undefined) continue;
          const own = findings.filter((finding) => finding.kind === kind);
          counts.planted += planted.length > 0 ? 1 : 0;
          counts.found += planted.length > 0 && own.length > 0 ? 1 : 0;
          counts.alarms += own.length - (planted.length > 0 && own.length > 0 ? 1 : 0);
        }
      }
    }
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    for (const { planted, found, alarms } of Object.values(tally)) {
      expect(found).toBeGreaterThanOrEqual(planted * 0.9);
      expect(alarms).toBeLessThanOrEqual(runs * 0.1);
    }
  });

  test.runIf(isThorough())('has evidence, and a link to a list of its traces', async () => {
    const { id, apiKey } = await projectWith(11, KINDS);
    // Adds requests without any problem to the same endpoints.
    const startTime = new Date(NOW_MS - 1_800_000).toISOString();
    await sendTraces(
      server,
      apiKey,
      ['/users/:id', '/search'].map((route) => ({
        request: { method: 'GET', path: route, route },
        timing: { startTime, duration: 40 },
        flow: [{ stepId: '1', stepName: 'SELECT products', stepType: 'database', startTime, duration: 1 }],
      })),
    );
    const { findings, available } = await readInsights(id);
    expect(available).toBe(true);
    const of = (kind: Kind) => findings.find((finding) => finding.kind === kind);
    expect(of('slower')).toMatchObject({
      endpoint: { method: 'GET', path: '/orders' },
      evidence: { against: 'period' },
    });
    expect(of('newError')?.evidence).toMatchObject({
      message: "Cannot read properties of undefined (reading 'total')",
    });
    expect(of('repeatedQuery')).toMatchObject({
      endpoint: { path: '/users/:id' },
      requestCount: 60,
      evidence: { stepName: 'SELECT products' },
    });
    expect(of('sequentialAwaits')).toMatchObject({
      endpoint: { path: '/search' },
      evidence: { steps: [{ stepName: 'SELECT users' }, { stepName: 'SELECT carts' }] },
    });
    await expectAllShown(findings);
    for (const { kind, exampleTraceIds } of findings) {
      expect([kind, exampleTraceIds.length]).toEqual([kind, kind === 'newError' ? 1 : 5]);
      for (const traceId of exampleTraceIds) {
        await owner.client.call(routes.traces.read, { params: { id: traceId } });
      }
    }
    expect((await readInsights(id)).findings.map((finding) => finding.id)).toEqual(
      findings.map((finding) => finding.id),
    );
  });

  test('is reported for a release that is slower than the previous release, and starts at the first request of the slower release', async () => {
    const { id, apiKey } = await makeProject(owner);
    const HOUR_MS = 3_600_000;
    const send = (release: string, hoursAgo: number, duration: number) => {
      const traces = Array.from({ length: 40 }, (_, n) => ({
        request: { method: 'GET', path: '/orders', route: '/orders' },
        timing: {
          startTime: new Date(NOW_MS - hoursAgo * HOUR_MS + n * 60_000).toISOString(),
          duration: duration + (n % 10),
        },
      }));
      return sendTraces(server, apiKey, traces, { name: 'shop', release });
    };
    await send('v2', 2, 90);
    await send('v1', 26, 40);
    const { findings } = await readInsights(id);
    expect(findings).toMatchObject([
      {
        kind: 'slower',
        requestCount: 40,
        since: new Date(NOW_MS - 2 * HOUR_MS).toISOString().replace('Z', '000Z'),
        evidence: { against: 'release', release: 'v2', previousRelease: 'v1' },
      },
    ]);
    await expectAllShown(findings);
  });

  test.runIf(isThorough())(
    'is reported for OpenTelemetry spans if the spans contain the queries of the problem',
    async () => {
      const { id, apiKey } = await makeProject(owner);
      await sendSpans(server, apiKey, otlpRequest('shop', plantedSpans(NOW_MS)));
      const { findings } = await readInsights(id);
      expect(findings).toMatchObject([
        {
          kind: 'sequentialAwaits',
          endpoint: { path: '/search' },
          requestCount: 12,
          evidence: { medianSaving: 20 },
        },
        {
          kind: 'repeatedQuery',
          endpoint: { path: '/users/:id' },
          requestCount: 12,
          evidence: { stepName: 'SELECT shop', medianCalls: 10 },
        },
      ]);
      await expectAllShown(findings);
    },
  );

  test('is not reported for a project without traces', async () => {
    const { id } = await makeProject(owner);
    expect(await readInsights(id)).toMatchObject({ available: true, findings: [], requestCount: 0 });
  });

  test.each(listPlansOfKind('organization').map(({ id }) => id))(
    'is counted by severity on the plan %s, and described only if the plan includes insights',
    async (plan) => {
      const { owner: person } = await makeOrganization(server, plan);
      const { id, apiKey } = await makeProject(person);
      const startTime = (minute: number) => new Date(NOW_MS - 1_800_000 + minute * 60_000).toISOString();
      const query = (stepId: number) => ({
        ...{ stepId: `s${stepId}`, stepName: 'SELECT lodges', stepType: 'database' as const, duration: 1 },
        ...{ startTime: startTime(0), inputs: { values: [stepId] } },
      });
      await sendTraces(
        server,
        apiKey,
        Array.from({ length: 6 }, (_, minute) => ({
          request: { method: 'GET', path: '/lodges', route: '/lodges' },
          timing: { startTime: startTime(minute), duration: 40 },
          flow: Array.from({ length: 12 }, (_step, at) => query(at)),
        })),
      );
      const params = { id };
      const { insights } = await person.client.call(routes.analytics.insights, { params });
      const available = plan === 'enterprise_plus';
      expect(insights).toMatchObject({
        available,
        summaryAvailable: available,
        requestCount: 6,
        openFindings: { high: 0, medium: 0, low: 1 },
      });
      const ids = insights.findings.map((finding) => finding.id);
      const { summary } = await person.client.call(routes.analytics.insightsSummary, { params });
      if (available) {
        expect(insights.findings).toMatchObject([{ kind: 'repeatedQuery', severity: 'low' }]);
        return;
      }
      expect(ids).toEqual(['sample-slower', 'sample-repeated']);
      expect(JSON.stringify(insights)).not.toContain('lodges');
      expect(summary).toBeNull();
    },
  );
});

describe('the summary of findings', () => {
  test('is requested from the model once, without captured values and error messages', async () => {
    const { id } = await projectWith(13, KINDS);
    asked.splice(0);
    const params = { id };
    const { summary } = await owner.client.call(routes.analytics.insightsSummary, { params });
    expect(summary).toMatchObject({ text: 'Look at orders first.', model: 'small' });
    await owner.client.call(routes.analytics.insightsSummary, { params });
    expect(asked).toHaveLength(1);
    const [request] = asked;
    expect(request).toMatchObject({ url: '/v1/chat/completions', authorization: 'Bearer key-of-the-model' });
    expect(request?.body).toContain('/orders');
    expect(request?.body).not.toMatch(/Cannot read|Ada|cartId/);
  });

  test.runIf(isThorough()).each(
    pickRows(
      [
        { status: 500, body: '{}' },
        { status: 200, body: 'no JSON' },
        { status: 200, body: '{"choices":[]}' },
      ],
      { usually: 1 },
    ),
  )('fails with a clear message if the model responds with $status $body', async (bad) => {
    const { id } = await projectWith(14 + bad.body.length, KINDS);
    const good = reply;
    reply = bad;
    try {
      const refused = await refusal(owner.client.call(routes.analytics.insightsSummary, { params: { id } }));
      expect(refused).toBeInstanceOf(ApiError);
      expect(refused).toMatchObject({ status: 503, code: 'unavailable' });
    } finally {
      reply = good;
    }
  });
});

test.each([
  ['an id that only the earlier step returned', '{"user":17}', '{"cart":"c-991"}', '{"cart":"c-991"}', true],
  [
    'an input of the earlier step',
    '{"user":"u-1234"}',
    '{"user":"u-1234","name":"x"}',
    '{"user":"u-1234"}',
    false,
  ],
  ['nothing that the earlier step returned', '[1]', '{"total":4711}', '["books"]', false],
  ['a text with a number that the earlier step returned', '[]', '{"id":4711}', '"/carts/4711"', true],
  ['values that were not captured', '', '', '', true],
  ['only inputs of the earlier step, whose result is unknown,', '{"0":"7"}', '', '{"0":"7"}', false],
  [
    'more than the inputs of the earlier step, whose result is unknown,',
    '{"0":"7"}',
    '',
    '{"0":"7","1":"8"}',
    true,
  ],
  ['no inputs after a step whose result is unknown', '{"0":"7"}', '', '{}', true],
  [
    'a reference to a value of a third step',
    '[]',
    '{"total":4711}',
    '{"cart":{"$type":"reference","step":"3","path":["outputs"]}}',
    true,
  ],
])(
  'the server recognizes whether a later step that receives %s can depend on the earlier step',
  (_what, given, brought, later, depends) => {
    expect(mayDepend({ inputs: given, outputs: brought }, { inputs: later, outputs: '' })).toBe(depends);
  },
);
