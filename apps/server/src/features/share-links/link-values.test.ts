import { routes, type SharedValues, TRACE_PARTS } from '@throughline/contract';
import { aTrace, type Person, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { sceneOfFile } from '@throughline/testkit/scene';
import { beforeAll, describe, expect, test } from 'vitest';

/**
 * A secret that appears in every field that can contain a request's data, and in no field that contains only names from the source code.
 */
const SECRET = 'zq9value';
const NUMBER = 918_273_645;
const PASSWORD = 'hunter2-zq9';

const scene = sceneOfFile();
let traceId: string;
let spansId: string;
beforeAll(async () => {
  await sendTraces(scene.server, scene.project.apiKey, [fullOfSecrets()]);
  traceId = (await scene.onlyTrace())._id;
  await sendSpans(scene.server, scene.project.apiKey, spansOfSecrets());
  spansId = (await scene.list()).find(({ service }) => service === 'spans')?._id ?? '';
});

function fullOfSecrets() {
  const value = { [SECRET]: SECRET, n: NUMBER, list: [SECRET, NUMBER], password: PASSWORD };
  const step = (stepId: string, given: object) => ({
    stepId,
    stepName: `select '${SECRET}'`,
    stepType: 'database' as const,
    startTime: new Date().toISOString(),
    duration: 1,
    inputs: value,
    outputs: NUMBER,
    variables: {
      capturedAt: 'exit',
      parameters: { order: value },
      localVariables: { total: SECRET },
      returnValue: { $type: 'object', class: SECRET, properties: value },
    },
    error: { message: SECRET, name: SECRET, stack: `Error: ${SECRET}\n at x`, code: SECRET },
    metadata: { statement: SECRET },
    ...given,
  });
  return aTrace({
    traceId: 'ab'.repeat(16),
    request: {
      method: 'POST',
      path: `/reset/${SECRET}`,
      route: '/reset/:token',
      url: `http://localhost/reset/${SECRET}?n=${NUMBER}`,
      headers: { 'x-own': SECRET },
      query: { n: SECRET },
      body: value,
      ip: '203.0.113.77',
      userAgent: SECRET,
    },
    response: { statusCode: 500, headers: { location: SECRET }, body: [SECRET, NUMBER] },
    error: { hasError: true, errorMessage: SECRET, errorCode: SECRET },
    user: { id: SECRET },
    sessionId: SECRET,
    attributes: { tenant: SECRET },
    flow: [
      step('1', { functionName: 'chargeCard', filePath: 'src/pay.ts', lineNumber: 41, stepType: 'function' }),
      step('2', { parentStepId: '1' }),
      step('3', { parentStepId: '1', stepType: 'log', stepName: SECRET, inputs: [SECRET] }),
    ],
  });
}

function spansOfSecrets() {
  const attributes = otlpAttributes({
    'url.path': `/${SECRET}`,
    'http.request.method': 'GET',
    tenant: SECRET,
  });
  const child = otlpAttributes({ 'db.query.text': `select '${SECRET}'`, 'code.function.name': 'findUser' });
  return otlpRequest('spans', [
    otlpSpan(1, undefined, { name: SECRET, attributes }),
    otlpSpan(2, 1, { name: SECRET, attributes: child }),
  ]);
}

async function share(id: string, values: SharedValues, who: Person = scene.person): Promise<string> {
  const { url } = await who.client.call(routes.shareLinks.create, { params: { id }, body: { values } });
  return url.slice(url.lastIndexOf('/') + 1);
}

const stepIds = async (id: string) => (await scene.read(id)).flow.map(({ stepId }) => stepId);
const paths = async (token: string, id: string) =>
  [
    '',
    '?values=false',
    '?parts=small',
    '/link',
    ...TRACE_PARTS.map((part) => `/parts/${part}`),
    ...(await stepIds(id)).map((step) => `/steps/${step}`),
    '/steps?text=redacted',
    `/steps?text=${SECRET}`,
  ].map((path) => `/api/shared/${token}${path}`);

describe('a masked link to a trace', () => {
  test.each([
    ['a trace of the SDK', () => traceId],
    ['a trace of spans', () => spansId],
  ])('never returns a value of %s, to any user, from any route', async (_what, findId) => {
    const token = await share(findId(), 'masked');
    for (const path of await paths(token, findId())) {
      // A project member who opens the link sees the same as everyone else.
      for (const headers of [{}, { authorization: `Bearer ${scene.person.token}` }]) {
        const answer = await fetch(scene.server.url + path, { headers });
        const text = `${await answer.text()} ${[...answer.headers].join()}`;
        expect(answer.status, path).toBe(200);
        expect(text, path).not.toContain(SECRET);
        expect(text, path).not.toContain(String(NUMBER));
        expect(text, path).not.toContain('203.0.113');
      }
    }
  });

  test('shows which steps ran, when, for how long, and their file and line', async () => {
    const token = await share(traceId, 'masked');
    const { trace } = await scene.server.anyone.call(routes.shared.read, { params: { token } });
    expect(trace.request).toMatchObject({ method: 'POST', path: '/reset/:token', url: null, ip: null });
    expect(trace.flow.map((step) => step.stepName)).toEqual(['chargeCard', 'database', 'log']);
    expect(trace.flow[0]).toMatchObject({
      filePath: 'src/pay.ts',
      lineNumber: 41,
      inputs: { $type: 'redacted', of: 'object' },
      error: { message: '‹redacted›' },
    });
  });

  test('finds steps by their names, but not by their values', async () => {
    const params = { token: await share(traceId, 'masked') };
    const find = async (text: string) => {
      const found = await scene.server.anyone.call(routes.shared.findSteps, { params, query: { text } });
      return found.hits.map(({ stepId }) => stepId);
    };
    expect(await find(SECRET)).toEqual([]);
    expect(await find('chargeCard')).toEqual(['1']);
  });
});

describe('a link that shows values', () => {
  test('returns the same trace, steps and captured parts that a member receives', async () => {
    const token = await share(traceId, 'shown');
    const { anyone } = scene.server;
    const member = scene.person.client;
    expect(await anyone.call(routes.shared.read, { params: { token } })).toEqual(
      await member.call(routes.traces.read, { params: { id: traceId } }),
    );
    expect(await anyone.call(routes.shared.step, { params: { token, stepId: '2' } })).toEqual(
      await member.call(routes.traces.step, { params: { id: traceId, stepId: '2' } }),
    );
    for (const part of TRACE_PARTS) {
      const answer = await anyone.call(routes.shared.part, { params: { token, part } });
      expect(answer).toEqual(await member.call(routes.traces.part, { params: { id: traceId, part } }));
    }
    const query = { text: SECRET };
    expect(await anyone.call(routes.shared.findSteps, { params: { token }, query })).toEqual(
      await member.call(routes.traces.findSteps, { params: { id: traceId }, query }),
    );
  });

  test('never returns a redacted value', async () => {
    const token = await share(traceId, 'shown');
    for (const path of await paths(token, traceId)) {
      const text = await (await fetch(scene.server.url + path)).text();
      expect(text, path).not.toContain(PASSWORD);
    }
  });

  test('opens no other trace of the project', async () => {
    const token = await share(traceId, 'shown');
    const [step = ''] = await stepIds(spansId);
    const answer = await fetch(`${scene.server.url}/api/shared/${token}/steps/${step}`);
    expect(answer.status).toBe(404);
    const headers = { authorization: `Bearer ${token}` };
    const other = await fetch(`${scene.server.url}/api/traces/${spansId}`, { headers });
    expect(other.status).toBe(401);
  });
});
