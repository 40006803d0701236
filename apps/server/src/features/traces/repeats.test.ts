import { type Repeat, routes } from '@throughline/contract';
import { aTrace, postBody, sendTraces } from '@throughline/testkit';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const scene = sceneOfEachTest();

const step = (stepId: string, repeat?: Repeat | null) => ({
  stepId,
  stepName: 'price',
  startTime: new Date().toISOString(),
  duration: 12.345,
  ...(repeat !== undefined && { repeat }),
});

test('a call aggregate is returned with its count, durations and number of errors', async () => {
  const repeat = { count: 999_980, minMs: 0.001, sumMs: 12.345, maxMs: 4.5, errors: 3 };
  const { errors: _, ...without } = repeat;
  await sendTraces(scene.server, scene.project.apiKey, [
    aTrace({ flow: [step('1', repeat), step('2', without), step('3'), step('4', null)] }),
  ]);
  const { flow, _id } = await scene.onlyTrace();
  expect(flow.map((one) => one.repeat)).toEqual([repeat, without, undefined, undefined]);
  const one = await scene.person.client.call(routes.traces.step, { params: { id: _id, stepId: '1' } });
  expect(one.step.repeat).toEqual(repeat);
});

test.each([
  [{ count: 0, minMs: 0, sumMs: 0, maxMs: 0 }, 'flow[0].repeat.count: must be at least 1'],
  [{ count: 2, minMs: -1, sumMs: 0, maxMs: 0 }, 'flow[0].repeat.minMs: must not be negative'],
  ['many', 'flow[0].repeat'],
])('the repeat %j is rejected with the name of the field', async (repeat, message) => {
  const body = JSON.stringify({ traces: [{ ...aTrace(), flow: [{ ...step('1'), repeat }] }] });
  const reply = await postBody(scene.server, scene.project.apiKey, body);
  expect(reply.body).toMatchObject({
    accepted: 0,
    rejected: [{ code: 'invalid_trace', message: expect.stringContaining(message) }],
  });
});
