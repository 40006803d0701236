import { MAX_PART_BYTES, routes, type TracePart } from '@throughline/contract';
import { aTrace, refusal, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const scene = sceneOfEachTest();
const { read, part, list } = routes.traces;

/** Returns a string whose JSON has exactly this many bytes. */
const buildText = (bytes: number) => 'x'.repeat(bytes - 2);
const LARGE = buildText(MAX_PART_BYTES + 1);

async function stored(trace: object): Promise<string> {
  await sendTraces(scene.server, scene.project.apiKey, [aTrace(trace)]);
  return (await scene.person.client.call(list, {})).traces[0]?._id ?? '';
}

const withoutValues = async (id: string) =>
  (await scene.person.client.call(read, { params: { id }, query: { values: 'false' } })).trace;
const readPart = (id: string, name: TracePart) =>
  scene.person.client.call(part, { params: { id, part: name } });

test('bodies and queries of up to 64 kB are returned with a trace that is read without values', async () => {
  const id = await stored({
    request: { method: 'POST', path: '/', query: { a: '1' }, body: buildText(MAX_PART_BYTES) },
    response: { statusCode: 200, body: { ok: true } },
  });
  const trace = await withoutValues(id);
  expect(trace.request).toMatchObject({ query: { a: '1' }, body: buildText(MAX_PART_BYTES) });
  expect(trace.response.body).toEqual({ ok: true });
  expect(trace).not.toHaveProperty('leftOut');
});

test('parts of more than 64 kB are listed with their size, and are read separately', async () => {
  const id = await stored({
    request: { method: 'POST', path: '/', headers: { big: LARGE }, query: { a: LARGE }, body: LARGE },
    response: { statusCode: 200, headers: { small: '1' }, body: [LARGE] },
    user: { id: '7', about: LARGE },
    attributes: { big: LARGE },
  });
  const trace = await withoutValues(id);
  expect(trace.leftOut).toEqual([
    { part: 'request.headers', bytes: LARGE.length + 2 + '{"big":}'.length },
    { part: 'request.query', bytes: LARGE.length + 2 + '{"a":}'.length },
    { part: 'request.body', bytes: LARGE.length + 2 },
    { part: 'response.body', bytes: LARGE.length + 4 },
    { part: 'user', bytes: expect.any(Number) },
    { part: 'attributes', bytes: LARGE.length + 2 + '{"big":}'.length },
  ]);
  expect(trace.request).toMatchObject({ headers: {} });
  expect(trace.response.headers).toEqual({ small: '1' });
  expect(JSON.stringify(trace).length).toBeLessThan(5000);
  expect(await readPart(id, 'request.body')).toEqual({ value: LARGE });
  expect(await readPart(id, 'response.body')).toEqual({ value: [LARGE] });
  expect(await readPart(id, 'attributes')).toEqual({ value: { big: LARGE } });
  const query = { values: 'true', parts: 'small' } as const;
  expect((await scene.person.client.call(read, { params: { id }, query })).trace).toEqual(trace);
  const whole = (await scene.person.client.call(read, { params: { id } })).trace;
  expect(whole.request.body).toBe(LARGE);
  expect(whole).not.toHaveProperty('leftOut');
});

test('a part that was not captured has no value, and an unknown part is rejected', async () => {
  const id = await stored({ request: { method: 'GET', path: '/' } });
  expect(await readPart(id, 'request.body')).toEqual({});
  expect(await refusal(readPart(id, 'flow' as TracePart))).toMatchObject({
    status: 400,
    code: 'validation_failed',
  });
});

test("a step's large metadata is returned only with the values of that step", async () => {
  const step = { stepName: 'a', startTime: new Date().toISOString(), duration: 1 };
  const id = await stored({
    flow: [
      { ...step, stepId: '1', metadata: { small: 1 } },
      { ...step, stepId: '2', metadata: { big: LARGE } },
    ],
  });
  const [small, large] = (await withoutValues(id)).flow;
  expect(small?.metadata).toEqual({ small: 1 });
  expect(large).not.toHaveProperty('metadata');
  const params = { id, stepId: '2' };
  const one = await scene.person.client.call(routes.traces.step, { params });
  expect(one.step.metadata).toEqual({ big: LARGE });
});

test('public viewers see the type of a body, but not whether the body is large', async () => {
  const { person, project } = await newcomer(scene.server);
  const small = { statusCode: 200, body: { ok: true } };
  for (const body of [LARGE, 'small'])
    await sendTraces(scene.server, project.apiKey, [
      aTrace({ request: { method: 'POST', path: '/', body }, response: small }),
    ]);
  const { traces } = await person.client.call(list, {});
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  for (const { _id } of traces) {
    const { trace } = await scene.server.anyone.call(read, {
      params: { id: _id },
      query: { values: 'false' },
    });
    expect(trace).not.toHaveProperty('leftOut');
    expect(trace.request.body).toEqual({ $type: 'redacted', of: 'string' });
    expect(trace.response.body).toEqual({ $type: 'redacted', of: 'object' });
    const one = await scene.server.anyone.call(part, { params: { id: _id, part: 'request.body' } });
    expect(one).toEqual({ value: { $type: 'redacted', of: 'string' } });
  }
});
