import { fillPath, type Route, routes, TRACE_PARTS } from '@throughline/contract';
import { aTrace, type Person, refusal, sendTraces, signUp } from '@throughline/testkit';
import { OTLP_TRACE, otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * A secret that appears in every field that can contain a request's data, and in no field that contains only names from the source code.
 */
const SECRET = 'zq9value';
const NUMBER = 918_273_645;
const TRACE_ID = 'ab'.repeat(16);

const calls = routes.traces;
const scene = sceneOfFile();
let stranger: Person;
let traceId: string;
beforeAll(async () => {
  stranger = await signUp(scene.server);
  await sendTraces(scene.server, scene.project.apiKey, [
    fullOfSecrets(),
    aTrace({ response: { statusCode: 500 } }),
  ]);
  const { traces } = await scene.person.client.call(calls.list, {
    query: { projectId: scene.project.id, search: SECRET },
  });
  traceId = traces[0]?._id ?? '';
});

function fullOfSecrets() {
  const value = { [SECRET]: SECRET, n: NUMBER, list: [SECRET, NUMBER], yes: true, none: null };
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
      parameters: { order: value, count: NUMBER, flag: false },
      localVariables: { total: SECRET, [`${SECRET} is no name`]: 1 },
      returnValue: { $type: 'object', class: SECRET, properties: value },
      thisContext: { $type: 'Map', size: 1, entries: [[SECRET, NUMBER]] },
    },
    error: { message: SECRET, name: SECRET, stack: `Error: ${SECRET}\n at x`, code: SECRET },
    metadata: { statement: SECRET },
    ...given,
  });
  return aTrace({
    traceId: TRACE_ID,
    request: {
      method: 'POST',
      path: `/reset/${SECRET}`,
      route: '/reset/:token',
      url: `http://localhost/reset/${SECRET}?n=${NUMBER}`,
      headers: { 'x-own': SECRET, [`x-${SECRET}`]: '1' },
      query: { n: SECRET },
      body: value,
      ip: '203.0.113.77',
      userAgent: SECRET,
    },
    response: { statusCode: 201, headers: { location: SECRET }, body: [SECRET, NUMBER] },
    error: { hasError: true, errorMessage: SECRET, errorCode: SECRET },
    user: { id: SECRET },
    sessionId: SECRET,
    attributes: { tenant: SECRET, n: NUMBER },
    flow: [
      step('1', { functionName: 'chargeCard', filePath: 'src/pay.ts', lineNumber: 41, stepType: 'function' }),
      step('2', { parentStepId: '1' }),
      step('3', { parentStepId: '1', stepType: 'log', stepName: SECRET, inputs: [SECRET] }),
      step('4', { parentStepId: '1', variables: { parameters: [SECRET] }, inputs: SECRET, error: null }),
    ],
  });
}

const open = (yes: boolean) =>
  scene.person.client.call(routes.projects.update, {
    params: { id: scene.project.id },
    body: { public: yes },
  });
const list = (query: object = {}) =>
  scene.server.anyone.call(calls.list, { query: { projectId: scene.project.id, ...query } });

describe('for a private project,', () => {
  test.each([
    ['its list', () => list()],
    ['a trace', () => scene.server.anyone.call(calls.read, { params: { id: traceId } })],
    ['a file', () => scene.server.anyone.open(calls.raw, { params: { id: traceId } })],
    ['a step', () => scene.server.anyone.call(calls.step, { params: { id: traceId, stepId: '1' } })],
  ])('%s requires a session', async (_what, call) => {
    expect(await refusal(call())).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});

describe('for a public project,', () => {
  beforeAll(() => open(true));
  afterAll(() => open(false));

  const read = () => scene.server.anyone.call(calls.read, { params: { id: traceId } });

  test('public viewers can read which steps ran, when, for how long, and their file and line', async () => {
    const { traces, total } = await list();
    expect(total).toBe(2);
    expect(
      traces.map(({ request, response }) => [request.method, request.path, response.statusCode]),
    ).toEqual(
      expect.arrayContaining([
        ['GET', '/users/:id', 500],
        ['POST', '/reset/:token', 201],
      ]),
    );
    const { trace } = await read();
    expect(trace.flow.map((step) => step.stepName)).toEqual(['chargeCard', 'database', 'log', 'database']);
    expect(trace.flow[0]).toMatchObject({
      functionName: 'chargeCard',
      filePath: 'src/pay.ts',
      lineNumber: 41,
      duration: 1,
      inputs: { $type: 'redacted', of: 'object' },
      outputs: { $type: 'redacted', of: 'number' },
      error: { message: '‹redacted›' },
    });
    expect(trace.flow[0]?.variables).toEqual({
      capturedAt: 'exit',
      parameters: {
        order: { $type: 'redacted', of: 'object' },
        count: { $type: 'redacted', of: 'number' },
        flag: { $type: 'redacted', of: 'value' },
      },
      localVariables: { $type: 'redacted', of: 'object' },
      returnValue: { $type: 'redacted', of: 'object' },
      thisContext: { $type: 'redacted', of: 'Map' },
    });
    expect(trace.request).toMatchObject({ url: null, ip: null, headers: {}, path: '/reset/:token' });
  });

  test('no route for public viewers returns a value', async () => {
    const answers = [
      `/api/projects/public`,
      `/api/projects/public/${scene.project.id}`,
      `/api/traces?projectId=${scene.project.id}`,
      `/api/traces?projectId=${scene.project.id}&sort=duration&limit=1`,
      `/api/traces?projectId=${scene.project.id}&sort=steps&limit=1`,
      `/api/traces/${traceId}`,
      `/api/traces/${traceId}?values=false`,
      `/api/traces/${traceId}/raw`,
      `/api/traces/${traceId}/usual`,
      `/api/traces/by-trace-id/${TRACE_ID}`,
      ...TRACE_PARTS.map((part) => `/api/traces/${traceId}/parts/${part}`),
      ...['1', '2', '3', '4'].map((id) => `/api/traces/${traceId}/steps/${id}`),
      `/api/traces/${traceId}/steps?text=redacted`,
    ];
    for (const path of answers) {
      for (const headers of [{}, { authorization: `Bearer ${stranger.token}` }]) {
        const answer = await fetch(scene.server.url + path, { headers });
        const text = `${await answer.text()} ${[...answer.headers].join()}`;
        expect(answer.status, path).toBe(200);
        expect(text, path).not.toContain(SECRET);
        expect(text, path).not.toContain(String(NUMBER));
        expect(text, path).not.toContain('203.0.113');
        expect(text, path).not.toMatch(/"of":"(boolean|null|undefined)"/);
      }
    }
  });

  test('a downloaded trace is the same as the trace that the API returns', async () => {
    const file = await scene.server.anyone.open(calls.raw, { params: { id: traceId } });
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="trace-${traceId}.json"`);
    expect(await file.json()).toEqual(await read());
  });

  test.each([
    ['search', 'reset'],
    ['search', SECRET],
    ['search', 'f'.repeat(32)],
    ['attribute', `tenant:${SECRET}`],
    ['attribute', ['tenant']],
    ['environment', 'production'],
    ['release', '1'],
    ['user', SECRET],
    ['session', SECRET],
    ['country', 'DE'],
    ['endpoint', `/${SECRET}`],
    ['feature', SECRET],
    ['errorGroup', SECRET],
    ['errorIds', 'f'.repeat(32)],
    ['errorText', SECRET],
    ['value', SECRET],
    ['q', `value:password=${SECRET}`],
    ['q', `-user:${SECRET}`],
    ['q', `error:${SECRET}`],
    ['stepName', SECRET],
    ['dependency', SECRET],
    ['method', SECRET],
    ['users', 'known'],
    ['minCalls', 2],
  ])('neither results nor counts reveal masked values: %s %j', async (name, value) => {
    const error = await refusal(list({ [name]: value }));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.details?.fields?.map(({ path }) => path)).toEqual([name]);
    expect(JSON.stringify(error.details) + error.message).not.toContain(SECRET);
  });

  test('lists can be filtered by visible fields', async () => {
    expect((await list({ status: 'error' })).total).toBe(2);
    expect((await list({ statusCode: 201 })).total).toBe(1);
    expect((await list({ method: 'post' })).total).toBe(1);
    expect((await list({ route: '/users/:id' })).total).toBe(1);
    expect((await list({ minDuration: 9999 })).total).toBe(0);
    expect((await list({ minSteps: 1 })).total).toBeGreaterThan(0);
    expect((await list({ minSteps: 9999 })).total).toBe(0);
    const first = await list({ limit: 1 });
    const second = await list({ limit: 1, cursor: first.nextCursor ?? '' });
    expect(second.traces[0]?._id).not.toBe(first.traces[0]?._id);
  });

  test('a path without a template, an unknown method and a step name that contains a value are masked', async () => {
    const odd = { request: { method: SECRET.toUpperCase(), path: `/${SECRET}` } };
    await sendTraces(scene.server, scene.project.apiKey, [aTrace({ ...odd, response: { statusCode: 418 } })]);
    const { traces } = await list({ statusCode: 418 });
    expect(traces[0]?.request).toEqual({ method: 'OTHER', path: '‹redacted›', route: null });
    expect(JSON.stringify(traces).toLowerCase()).not.toContain(SECRET);
  });

  test('spans of OpenTelemetry are masked, too', async () => {
    const attributes = otlpAttributes({
      'url.path': `/${SECRET}`,
      'http.request.method': 'GET',
      tenant: SECRET,
    });
    const child = otlpAttributes({ 'db.query.text': `select '${SECRET}'`, 'code.function.name': 'findUser' });
    const event = {
      name: 'exception',
      timeUnixNano: '1',
      attributes: otlpAttributes({ 'exception.message': SECRET }),
    };
    await sendSpans(
      scene.server,
      scene.project.apiKey,
      otlpRequest('spans', [
        otlpSpan(1, undefined, { name: SECRET, attributes }),
        otlpSpan(2, 1, { name: SECRET, attributes: child, events: [event] }),
        otlpSpan(3, 1, { name: SECRET, kind: 3, attributes: child }),
      ]),
    );
    const { traces } = await list({ service: 'spans' });
    expect(traces).toHaveLength(1);
    expect(traces[0]?.traceId).toBe(OTLP_TRACE);
    const { trace } = await scene.server.anyone.call(calls.read, { params: { id: traces[0]?._id ?? '' } });
    expect(trace.flow.length).toBe(2);
    expect(trace.flow[0]?.stepName).toBe('findUser');
    expect(JSON.stringify(trace)).not.toContain(SECRET);
  });

  test('routes that are not made for public viewers require a session', async () => {
    const opened: string[] = [];
    for (const [domain, group] of Object.entries<Readonly<Record<string, Route>>>(routes)) {
      for (const [name, route] of Object.entries(group)) {
        if (route.access.by !== 'session') continue;
        const answer = await fetch(
          `${scene.server.url}${buildPath(route)}?projectId=${scene.project.id}&text=x`,
          {
            method: route.method,
          },
        );
        await answer.body?.cancel();
        const isPage = answer.headers.get('content-type')?.includes('html') ?? false;
        if (answer.status < 400 && !isPage) opened.push(`${domain}.${name}`);
      }
    }
    expect(opened.sort()).toEqual([
      'traces.byTraceId',
      'traces.findSteps',
      'traces.list',
      'traces.part',
      'traces.raw',
      'traces.read',
      'traces.step',
      'traces.usual',
    ]);
  });

  test('public viewers cannot list traces without the id of a project', async () => {
    expect(await refusal(scene.server.anyone.call(calls.list, {}))).toMatchObject({ status: 401 });
    expect(await refusal(scene.server.anyone.call(calls.list, { query: { projectId: '' } }))).toMatchObject({
      status: 401,
    });
  });

  test('members still see all values; an expired session sees none', async () => {
    const { trace } = await scene.person.client.call(calls.read, { params: { id: traceId } });
    expect(JSON.stringify(trace)).toContain(SECRET);
    expect(trace.request.path).toBe(`/reset/${SECRET}`);
    const ended = scene.server.as('x'.repeat(43)).call(calls.read, { params: { id: traceId } });
    expect(await refusal(ended)).toMatchObject({ status: 401 });
  });

  test('private and missing projects get the same error', async () => {
    const nowhere = '01a1fe03-bb50-7231-9674-6d3e7bef65b1';
    const { person: someone, project: theirs } = await newcomer(scene.server);
    await sendTraces(scene.server, theirs.apiKey, [aTrace()]);
    const { traces } = await someone.client.call(calls.list, {});
    const hidden = traces[0]?._id ?? '';
    expect((await someone.client.call(calls.read, { params: { id: hidden } })).trace._id).toBe(hidden);
    for (const id of [hidden, nowhere, 'x', "' or 1=1", '%00']) {
      expect(await refusal(scene.server.anyone.call(calls.read, { params: { id } }))).toMatchObject({
        status: 401,
      });
      expect(await refusal(stranger.client.call(calls.read, { params: { id } }))).toMatchObject({
        status: 404,
      });
    }
  });

  test("another user cannot delete, watch or export the public project, and its traces are not in the user's list", async () => {
    const query = { projectId: scene.project.id };
    const { client } = stranger;
    for (const call of [
      () => client.call(calls.remove, { params: { id: traceId } }),
      () => client.call(calls.removeOfProject, { params: { id: scene.project.id } }),
      () => client.open(calls.export, { query }),
      () => client.open(calls.stream, { query }),
      () => client.call(routes.projects.read, { params: { id: scene.project.id } }),
      () => client.call(routes.projects.apiKey, { params: { id: scene.project.id } }),
    ]) {
      expect((await refusal(call())).status).toBe(404);
    }
    expect((await client.call(calls.list, { query: {} })).traces).toEqual([]);
  });
});

test('a project that is made private again is private immediately', async () => {
  await open(true);
  expect((await list()).total).toBeGreaterThan(1);
  await open(false);
  expect(await refusal(list())).toMatchObject({ status: 401 });
  expect(await refusal(scene.server.anyone.call(calls.read, { params: { id: traceId } }))).toMatchObject({
    status: 401,
  });
});

function buildPath(route: Route): string {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const ids: Readonly<Record<string, string>> = {
    traceId: OTLP_TRACE,
    stepId: '1',
    part: 'request.body',
  };
  const id = route.path.startsWith('/api/traces') ? traceId : scene.project.id;
  return fillPath(route.path, Object.fromEntries(names.map((name) => [name, ids[name] ?? id])));
}
