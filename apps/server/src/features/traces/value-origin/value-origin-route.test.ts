import { type IngestTrace, routes } from '@throughline/contract';
import { aTrace, makeProject, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { writeLine } from './searched.fixture.ts';

const file = serverOfFile();
type SentStep = NonNullable<z.input<typeof IngestTrace>['flow']>[number];

const AT = Date.now() - 60_000;
const time = (ms: number) => new Date(AT + ms).toISOString();
const step = (
  stepId: string,
  parentStepId: string | null,
  from: number,
  to: number,
  more: Partial<SentStep>,
): SentStep => ({
  stepId,
  parentStepId,
  stepName: stepId,
  functionName: stepId,
  stepType: 'function',
  startTime: time(from),
  endTime: time(to),
  duration: to - from,
  ...more,
});

async function send(flow: SentStep[]) {
  const person = await signUp(file.server);
  const project = await makeProject(person);
  const trace = aTrace({
    request: { method: 'POST', path: '/orders', route: '/orders', body: { customer: { id: 'u-71b2' } } },
    response: { statusCode: 201, body: { order: 4711 } },
    timing: { startTime: time(0), duration: 100 },
    flow,
  });
  await sendTraces(file.server, project.apiKey, [trace], { name: 'shop' });
  const { traces } = await person.client.call(routes.traces.list, { query: {} });
  return { person, id: traces[0]?._id ?? '' };
}

const flow = [
  step('placeOrder', null, 0, 90, { inputs: { buyer: 'u-71b2', password: 'correct horse' } }),
  step('insert', 'placeOrder', 10, 20, {
    stepType: 'database',
    inputs: { params: ['u-71b2'] },
    outputs: [{ id: 4711 }],
  }),
];

test("a value is followed from the request's body to a query and to the response", async () => {
  const { person, id } = await send(flow);
  const follow = async (
    stepId: string | undefined,
    place: 'inputs' | 'outputs' | 'request.body',
    path: unknown,
  ) => {
    const query = { place, path: JSON.stringify(path), ...(stepId === undefined ? {} : { stepId }) };
    return (await person.client.call(routes.traces.valueOrigin, { params: { id }, query })).origin;
  };
  const buyer = await follow('placeOrder', 'inputs', ['buyer']);
  expect(buyer.origin).toBe("`buyer` came from the request's body, field `customer.id`");
  expect(buyer.came.map(writeLine)).toEqual(['request.body customer.id (equal-text)']);
  expect(buyer.went.map(writeLine)).toEqual(['insert inputs params[0] (equal-text)']);
  const order = await follow('insert', 'outputs', [0, 'id']);
  expect(order.went.map(writeLine)).toEqual(['response.body order (equal-number)']);
  expect((await follow(undefined, 'request.body', ['customer', 'id'])).went).toHaveLength(2);
  const password = await follow('placeOrder', 'inputs', ['password']);
  expect(password.value).not.toContain('correct');
  expect(password.refusal?.reason).toBe('not_captured');
  await expect(follow('placeOrder', 'inputs', ['nothing'])).rejects.toMatchObject({ status: 404 });
  await expect(follow('placeOrder', 'inputs', { no: 'path' })).rejects.toMatchObject({ status: 400 });
});

test.runIf(isThorough())('a value is also followed through a trace of more than 4 MB', async () => {
  const note = 'lorem ipsum '.repeat(1000);
  const many = Array.from({ length: 400 }, (_, at) =>
    step(`s${at}`, 'placeOrder', 20 + at / 10, 20 + at / 10 + 0.1, {
      inputs: { note: `${at} ${note}`, buyer: 'u-71b2' },
    }),
  );
  const { person, id } = await send([...flow, ...many]);
  const query = { stepId: 'insert', place: 'inputs', path: '["params",0]' } as const;
  const { origin } = await person.client.call(routes.traces.valueOrigin, { params: { id }, query });
  expect([origin.came.length, origin.went.length, origin.wentMore]).toEqual([2, 50, 350]);
});
