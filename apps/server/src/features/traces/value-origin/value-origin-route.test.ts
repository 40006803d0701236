import { type IngestTrace, routes } from '@throughline/contract';
import { aTrace, makeProject, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { writeLine } from './searched.fixture.ts';

const file = serverOfFile();
type SentTrace = z.input<typeof IngestTrace>;
type SentStep = NonNullable<SentTrace['flow']>[number];

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

async function send(flow: SentStep[], sources?: SentTrace['sources']) {
  const person = await signUp(file.server);
  const project = await makeProject(person);
  const trace = aTrace({
    request: { method: 'POST', path: '/orders', route: '/orders', body: { customer: { id: 'u-71b2' } } },
    response: { statusCode: 201, body: { order: 4711 } },
    timing: { startTime: time(0), duration: 100 },
    flow,
    sources,
  });
  await sendTraces(file.server, project.apiKey, [trace], { name: 'shop' });
  const { traces } = await person.client.call(routes.traces.list, { query: {} });
  return { person, project, id: traces[0]?._id ?? '' };
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

const taxed = [
  step('taxFor', null, 0, 90, {
    filePath: 'src/tax.ts',
    lineNumber: 7,
    variables: { parameters: {}, localVariables: { rate: 0.1925, region: 'eu-south-2' } },
  }),
];
const TAX_SOURCE = [
  'function taxFor() {',
  '  const region = process.env.REGION;',
  '  const rate = 0.1925;',
  '  return region;',
  '}',
].join('\n');
const withText = (text: string) => [
  { file: 'src/tax.ts', version: 'aB3_-9xyz012', functions: [{ line: 7, text }] },
];
const ofTax = (path: string) => ({ stepId: 'taxFor', place: 'localVariables', path: `["${path}"]` }) as const;

test("the function's source code shows that a value is a constant, or came from the environment", async () => {
  const { person, id } = await send(taxed, withText(TAX_SOURCE));
  const follow = async (path: string) =>
    (await person.client.call(routes.traces.valueOrigin, { params: { id }, query: ofTax(path) })).origin;
  expect(await follow('rate')).toMatchObject({
    origin: '`rate` came from a constant in `taxFor` (tax.ts:9): equal to the literal in the source text',
    code: { kind: 'constant', stepId: 'taxFor', file: 'src/tax.ts', lines: [9] },
  });
  expect(await follow('region')).toMatchObject({
    origin:
      '`region` came from the environment variable `REGION`, read in `taxFor` (tax.ts:8), as the source text shows',
    code: { kind: 'environment', lines: [8] },
  });
});

test('if the source code is missing or does not contain the literal, the sentence only names the first function with the value', async () => {
  const readOrigin = async (sources: SentTrace['sources']) => {
    const { person, id } = await send(taxed, sources);
    const call = { params: { id }, query: ofTax('rate') };
    const { origin } = await person.client.call(routes.traces.valueOrigin, call);
    return [origin.origin, origin.code];
  };
  const unknown = ['`rate` is first seen here, in `taxFor`', null];
  expect(await readOrigin(undefined)).toEqual(unknown);
  expect(await readOrigin(withText('function taxFor() {\n  return load();\n}'))).toEqual(unknown);
});

test('public viewers, signed in or not, cannot ask where a value came from', async () => {
  const { person, project, id } = await send(taxed, withText(TAX_SOURCE));
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  const stranger = await signUp(file.server);
  const call = { params: { id }, query: ofTax('rate') };
  await expect(stranger.client.call(routes.traces.valueOrigin, call)).rejects.toMatchObject({ status: 404 });
  const url = `${file.server.url}/api/traces/${id}/value-origin?place=localVariables&stepId=taxFor`;
  expect((await fetch(url)).status).toBe(401);
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
