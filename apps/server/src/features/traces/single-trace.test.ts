import { routes } from '@throughline/contract';
import {
  aTrace,
  logIn,
  makeProject,
  type Person,
  refusal,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openUnmigrated } from '../../platform/trace-store/index.ts';
import { DEMO_PASSWORD } from '../demo/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ demo: true, env: { DEMO_PORT: '1' } });
  await server.app.demo.ensure();
});
afterAll(() => server.stop());

const startTime = (second: number) => new Date(Date.now() - 600_000 + second * 1000).toISOString();
const aStep = (stepName: string, index: number) => ({
  stepId: String(index),
  stepName,
  startTime: startTime(0),
  duration: 1,
  inputs: { amount: 17.5, note: '‹ünïcode›' },
});
const flow = ['read', 'charge'].map(aStep);
const idsIn = async (person: Person, projectId: string) =>
  (await person.client.call(routes.traces.list, { query: { projectId } })).traces.map(({ _id }) => _id);

test.runIf(isThorough())('a downloaded trace is the same as the trace that the API returns', async () => {
  const person = await signUp(server);
  const project = await makeProject(person);
  await sendTraces(server, project.apiKey, [aTrace({ flow })]);
  const [id = ''] = await idsIn(person, project.id);
  const answer = await person.client.open(routes.traces.raw, { params: { id } });
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="trace-${id}.json"`);
  expect(answer.headers.get('content-type')).toContain('application/json');
  const read = await person.client.call(routes.traces.read, { params: { id } });
  expect(await answer.json()).toEqual(read);
  expect(read.trace.flow).toHaveLength(2);
});

test('a trace is complete even if another server stored its remaining steps later', async () => {
  const person = await signUp(server);
  const project = await makeProject(person);
  await sendTraces(server, project.apiKey, [aTrace({ flow })]);
  const [id = ''] = await idsIn(person, project.id);
  const read = () => person.client.call(routes.traces.read, { params: { id } });
  const step = (stepId: string) => person.client.call(routes.traces.step, { params: { id, stepId } });
  const before = { ...(await read()), ...(await step('1')) };
  const store = await openUnmigrated(server.config);
  const params = { project: project.id };
  await store.command(
    `INSERT INTO steps SELECT * REPLACE (stored_at + INTERVAL 2 DAY AS stored_at) FROM steps WHERE project_id = {project:UUID}`,
    params,
  );
  await store.command(
    `DELETE FROM steps WHERE project_id = {project:UUID} AND stored_at < now() + INTERVAL 1 DAY`,
    params,
  );
  await store.close();
  expect({ ...(await read()), ...(await step('1')) }).toEqual(before);
  expect(await refusal(step('2'))).toMatchObject({ status: 404 });
});

test('a trace contains each step once, without steps of an interrupted insert', async () => {
  const person = await signUp(server);
  const project = await makeProject(person);
  await sendTraces(server, project.apiKey, [aTrace({ flow })]);
  const [id = ''] = await idsIn(person, project.id);
  const read = () => person.client.call(routes.traces.read, { params: { id } });
  const before = await read();
  const store = await openUnmigrated(server.config);
  for (const [seconds, name] of [
    [30, 'sent again'],
    [-70, 'cut off'],
  ] as const)
    await store.command(
      `INSERT INTO steps SELECT * REPLACE (stored_at + {seconds:Int64} AS stored_at, {name:String} AS name) FROM steps
       WHERE project_id = {project:UUID} AND ordinal = 0`,
      { project: project.id, seconds, name },
    );
  await store.close();
  const [first, second] = before.trace.flow;
  expect((await read()).trace.flow).toEqual([{ ...first, stepName: 'sent again' }, second]);
});

test.runIf(isThorough()).each([
  ['has too many steps to be read together with its row', { steps: 1500, hoursAgo: 0 }],
  ['was recorded hours before it arrived', { steps: 2, hoursAgo: 5 }],
])('a trace is returned completely if it %s', async (_what, { steps, hoursAgo }) => {
  const person = await signUp(server);
  const project = await makeProject(person);
  const id = v7({ msecs: Date.now() - hoursAgo * 3_600_000 });
  const many = Array.from({ length: steps }, (_step, index) => aStep(`step ${index}`, index));
  await sendTraces(server, project.apiKey, [aTrace({ _id: id, flow: many })]);
  const { trace } = await person.client.call(routes.traces.read, { params: { id } });
  expect(trace.flow.map(({ stepName }) => stepName)).toEqual(many.map(({ stepName }) => stepName));
});

test.each(['ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-7000-8000-000000000000'])(
  'no trace exists with the id %s, whatever time the id contains',
  async (id) => {
    const person = await signUp(server);
    await makeProject(person);
    expect(await refusal(person.client.call(routes.traces.read, { params: { id } }))).toMatchObject({
      status: 404,
    });
  },
);

describe('the search for a distributed trace', () => {
  const traceId = 'abcdef0123456789abcdef0123456789';
  const request = (second: number, spanId: string, parentSpanId: string | null) =>
    aTrace({ traceId, spanId, parentSpanId, timing: { startTime: startTime(second), duration: 5 } });

  test('finds all requests with a W3C trace id, in upper or lower case, in all projects that the caller can see', async () => {
    const owner = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
    const shop = await makeProject(owner, 'shop');
    const pay = await makeProject(owner, 'pay');
    await sendTraces(server, pay.apiKey, [request(2, 'b'.repeat(16), 'a'.repeat(16))]);
    await sendTraces(server, shop.apiKey, [request(1, 'a'.repeat(16), null), aTrace()]);
    const stranger = await signUp(server);
    const other = await makeProject(stranger);
    await sendTraces(server, other.apiKey, [request(3, 'c'.repeat(16), 'a'.repeat(16))]);
    const { traces } = await owner.client.call(routes.traces.byTraceId, {
      params: { traceId: traceId.toUpperCase() },
    });
    expect(traces.map((trace) => [trace.projectId, trace.spanId, trace.parentSpanId])).toEqual([
      [shop.id, 'a'.repeat(16), null],
      [pay.id, 'b'.repeat(16), 'a'.repeat(16)],
    ]);
    expect(new Set(traces.map((trace) => trace.traceId))).toEqual(new Set([traceId]));
  });

  test.each(pickRows(['0'.repeat(32), 'abc', "'; --", '😀'], { usually: 2 }))(
    'returns 404 for the id %s',
    async (unknown) => {
      const person = await signUp(server);
      await makeProject(person);
      const call = person.client.call(routes.traces.byTraceId, { params: { traceId: unknown } });
      expect((await refusal(call)).status).toBe(404);
    },
  );
});

describe('deleting', () => {
  test('one trace deletes only that trace and its steps, and a second attempt gives 404', async () => {
    const person = await signUp(server);
    const project = await makeProject(person);
    await sendTraces(server, project.apiKey, [aTrace({ flow }), aTrace({ flow })]);
    const [first = '', second = ''] = await idsIn(person, project.id);
    const remove = () => person.client.call(routes.traces.remove, { params: { id: first } });
    expect(await remove()).toMatchObject({ success: true, receipt: { after: { traces: 0, steps: 0 } } });
    expect(await idsIn(person, project.id)).toEqual([second]);
    expect((await refusal(remove())).status).toBe(404);
    const step = person.client.call(routes.traces.step, { params: { id: first, stepId: '0' } });
    expect((await refusal(step)).status).toBe(404);
    const { trace } = await person.client.call(routes.traces.read, { params: { id: second } });
    expect(trace.flow).toHaveLength(2);
  });

  test("all traces of a project keeps other projects' traces, and the project still accepts new ones", async () => {
    const owner = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
    const [one, other] = [await makeProject(owner, 'one'), await makeProject(owner, 'other')];
    for (const { apiKey } of [one, other]) await sendTraces(server, apiKey, [aTrace(), aTrace()]);
    await owner.client.call(routes.traces.removeOfProject, { params: { id: one.id } });
    expect(await idsIn(owner, one.id)).toEqual([]);
    expect(await idsIn(owner, other.id)).toHaveLength(2);
    await sendTraces(server, one.apiKey, [aTrace()]);
    expect(await idsIn(owner, one.id)).toHaveLength(1);
  });

  test('is forbidden for developers, who can see the trace', async () => {
    const owner = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
    const developer = await logIn(server, 'developer@demo.example', DEMO_PASSWORD);
    const project = (await owner.client.call(routes.projects.list, {})).projects[0]?.id ?? '';
    const { apiKey } = await owner.client.call(routes.projects.apiKey, { params: { id: project } });
    await sendTraces(server, apiKey, [aTrace()]);
    const [id = ''] = await idsIn(developer, project);
    const { client } = developer;
    for (const call of [
      () => client.call(routes.traces.remove, { params: { id } }),
      () => client.call(routes.traces.removeOfProject, { params: { id: project } }),
    ]) {
      expect((await refusal(call())).code).toBe('forbidden');
    }
    expect(await idsIn(developer, project)).toContain(id);
  });
});
