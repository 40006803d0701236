import { routes } from '@throughline/contract';
import {
  aTrace,
  makeOrganization,
  makeProject,
  type Person,
  postBody,
  sendTraces,
  signUp,
  type TestProject,
} from '@throughline/testkit';
import { newcomer, serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { beforeAll, expect, test } from 'vitest';

const file = serverOfFile();
let owner: Person;
let from: TestProject;
let to: TestProject;
beforeAll(async () => {
  ({ owner } = await makeOrganization(file.server));
  from = await makeProject(owner, 'from');
  to = await makeProject(owner, 'to');
});

const exported = async (person: Person, query: Record<string, string>) => {
  const answer = await person.client.open(routes.traces.export, { query });
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="traces.ndjson"');
  return answer.text();
};
const parseLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => routes.traces.export.answer.parse(JSON.parse(line)));
const readOne = async (id: string) => (await owner.client.call(routes.traces.read, { params: { id } })).trace;
const startTime = (second: number) => new Date(Date.now() - 3_600_000 + second * 1000).toISOString();

/** A body as JSON text, because JavaScript numbers cannot represent its values. */
const EXACT = `{"service":{"name":"shop","version":"1.4.2","environment":"prod","release":"a1b2","instance":"h:1","runtime":"node 24"},"traces":[{
  "traceId":"${'ab'.repeat(16)}","spanId":"${'cd'.repeat(8)}","parentSpanId":"${'ef'.repeat(8)}",
  "request":{"method":"POST","path":"/o/17","route":"/o/:id","url":"http://h/o/17?a=1","headers":{"a":"b"},"query":{"a":["1"]},"body":{"n":12345678901234567890,"z":-0,"u":"\\ud83d","nul":"\\u0000"},"ip":"10.1.2.3","userAgent":"x"},
  "response":{"statusCode":503,"headers":{},"body":null},
  "timing":{"startTime":"${startTime(0).replace('Z', '123Z')}","duration":12.345},
  "performance":{"memoryUsage":{"heapUsed":51234567},"cpuUsage":3.2,"eventLoopDelay":0.4},
  "error":{"hasError":true,"errorMessage":"bad\\tline\\n","errorCode":"E1"},
  "user":{"id":"u1","name":"‹ü›"},"sessionId":"s","attributes":{"k":1e400},
  "flow":[{"stepId":"b","parentStepId":"a","sequence":7,"stepName":"charge","stepType":"function","startTime":"${startTime(1)}","endTime":"${startTime(2)}","duration":1.5,
    "functionName":"charge","filePath":"src/a.ts","lineNumber":4,"inputs":{"card":1},"outputs":[{"$type":"undefined"}],
    "variables":{"capturedAt":"throw","parameters":{"p":1},"localVariables":{"__proto__":1}},"error":{"message":"m","stack":"s","cause":{"a":1}},"metadata":{"m":[]},
    "repeat":{"count":3,"minMs":0.1,"sumMs":1.5,"maxMs":1}},
    {"stepId":"a","stepName":"first","startTime":"${startTime(0)}","duration":0}],
  "dropped":{"steps":1,"values":2,"bytes":3}}]}`;

test('exported traces that are imported and exported again are identical, character by character, except for project and time of arrival', async () => {
  expect((await postBody(file.server, from.apiKey, EXACT)).body).toEqual({ accepted: 1, rejected: [] });
  const first = await exported(owner, { projectId: from.id });
  expect(first).toContain('12345678901234567890');
  const [trace] = parseLines(first);
  expect(trace).toEqual(await readOne(trace?._id ?? ''));
  const taken = await postBody(file.server, to.apiKey, first, { 'content-type': 'application/x-ndjson' });
  expect(taken.body).toEqual({ accepted: 1, rejected: [] });
  const second = await exported(owner, { projectId: to.id });
  const withoutPlace = (line: string) =>
    line.replace(/"projectId":"[^"]*"/, '').replace(/"createdAt":"[^"]*"/, '');
  expect(withoutPlace(second)).toBe(withoutPlace(first));
  // A trace that is sent again is not stored twice.
  await postBody(file.server, to.apiKey, first, { 'content-type': 'application/x-ndjson' });
  expect(parseLines(await exported(owner, { projectId: to.id }))).toHaveLength(1);
});

test('spans of OpenTelemetry are exported as steps', async () => {
  const { person, project } = await newcomer(file.server);
  const id = (digit: string) => digit.repeat(16);
  const nanos = `${BigInt(Date.now()) * 1_000_000n}`;
  const span = (spanId: string, parentSpanId?: string) => ({
    traceId: 'd'.repeat(32),
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `span ${spanId[0]}`,
    kind: parentSpanId === undefined ? 2 : 1,
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
  });
  const spans = [span(id('1')), span(id('2'), id('1')), span(id('3'), id('2'))];
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const headers = { 'content-type': 'application/json', 'x-api-key': project.apiKey };
  expect((await fetch(`${file.server.url}/v1/traces`, { method: 'POST', headers, body })).status).toBe(200);
  const [trace] = parseLines(await exported(person, {}));
  expect(trace?.flow.map(({ stepName }) => stepName)).toEqual(['span 2', 'span 3']);
});

test('an export of 450 traces has the same order as the list, and each trace has its own steps', async () => {
  const project = await makeProject(owner, 'many');
  const traces = Array.from({ length: 450 }, (_trace, index) =>
    aTrace({
      request: { method: 'GET', path: `/p/${index}` },
      response: { statusCode: index % 3 === 0 ? 500 : 200 },
      timing: { startTime: startTime(index), duration: index },
      flow: Array.from({ length: index % 4 }, (_step, step) => ({
        stepId: `${index}-${step}`,
        stepName: 'a',
        startTime: startTime(index),
        duration: 1,
      })),
    }),
  );
  await sendTraces(file.server, project.apiKey, traces);
  const all = parseLines(await exported(owner, { projectId: project.id }));
  expect(all.map(({ request }) => request.path)).toEqual(traces.map((_trace, index) => `/p/${449 - index}`));
  for (const { flow, timing } of all) {
    expect(flow.map(({ stepId }) => stepId)).toEqual(
      Array.from({ length: timing.duration % 4 }, (_step, step) => `${timing.duration}-${step}`),
    );
  }
  const slowErrors = parseLines(
    await exported(owner, { projectId: project.id, status: 'error', minDuration: '300', sort: 'duration' }),
  );
  expect(slowErrors.map(({ timing }) => timing.duration)).toEqual(
    Array.from({ length: 50 }, (_trace, index) => 447 - 3 * index),
  );
}, 120_000);

test('only the traces selected by id are exported, in the order of the list; other tenants get none of them', async () => {
  const { person, project } = await newcomer(file.server);
  const traces = Array.from({ length: 3 }, (_trace, index) =>
    aTrace({
      request: { method: 'GET', path: `/c/${index}` },
      timing: { startTime: startTime(600 + index), duration: index },
    }),
  );
  await sendTraces(file.server, project.apiKey, traces);
  const { traces: listed } = await person.client.call(routes.traces.list, { query: {} });
  const [newest, , oldest] = listed.map(({ _id }) => _id);
  const query = { requests: [oldest, '0192f000-0000-7000-8000-000000000000', newest, oldest].join() };
  const paths = parseLines(await exported(person, query)).map(({ request }) => request.path);
  expect(paths).toEqual(['/c/2', '/c/0']);
  expect(await exported(owner, query)).toBe('');
});

test('an export without matches is an empty file; an invalid query is rejected before the file begins', async () => {
  const person = await signUp(file.server);
  expect(await exported(person, {})).toBe('');
  await expect(exported(owner, { status: 'odd' })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(
    exported(owner, { projectId: from.id, startDate: '2026-01-01', timeZone: 'Mars/Base' }),
  ).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test.runIf(isThorough())(
  "a user's fifth concurrent export is rejected with a 503, and the first four exports are complete",
  async () => {
    const { owner: reader } = await makeOrganization(file.server);
    const project = await makeProject(reader, 'large');
    const flow = Array.from({ length: 6 }, (_step, index) => ({
      stepId: `s${index}`,
      stepName: 'load',
      startTime: startTime(0),
      duration: 1,
      inputs: [String(index).padEnd(1_000_000, 'x')],
    }));
    for (let sent = 0; sent < 4; sent += 1) {
      await sendTraces(file.server, project.apiKey, [{ ...aTrace(), flow }]);
    }
    const open = () => reader.client.open(routes.traces.export, { query: { projectId: project.id } });
    // The exports stay open until they are read.
    const running = await Promise.all([open(), open()]);
    const refused: unknown[] = [];
    const waiting = Array.from({ length: 3 }, () => open().catch((error) => void refused.push(error)));
    await expect.poll(() => refused).toMatchObject([{ status: 503, code: 'overloaded' }]);
    for (const answer of [...running, ...waiting]) {
      const whole = await answer;
      if (whole !== undefined) expect(parseLines(await whole.text())).toHaveLength(4);
    }
  },
);

test('invalid lines of an import are rejected by line number, and the valid lines are stored', async () => {
  const lines = [
    JSON.stringify({ ...aTrace(), service: 'a' }),
    JSON.stringify({ ...aTrace(), service: 7 }),
    '[]',
    '',
    JSON.stringify({ ...aTrace(), serviceVersion: 'x'.repeat(300) }),
  ];
  const headers = { 'content-type': 'application/x-ndjson' };
  const reply = await postBody(file.server, to.apiKey, `${lines.join('\r\n')}\r\n`, headers);
  expect(reply.body).toMatchObject({
    accepted: 1,
    rejected: [
      { index: 1, code: 'invalid_trace', message: expect.stringContaining('traces[1].service') },
      { index: 2, code: 'invalid_trace' },
      { index: 3, code: 'invalid_trace', message: expect.stringContaining('serviceVersion') },
    ],
  });
  const broken = await postBody(file.server, to.apiKey, `${lines[0]}\n{"a":`, headers);
  expect(broken).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } });
  expect(broken.body).toMatchObject({ message: expect.stringMatching(/^Line 2 is not JSON/) });
});
