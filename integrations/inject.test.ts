import { Collector } from '@throughline/testkit/collector';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { App } from './harness/app.ts';

let collector: Collector;
let address: string;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(() => collector.stop());

test('requests injected into Fastify and Hapi are traced like requests to a server', async () => {
  const plain = await new App('inject/app.js', { collector: undefined }).ended;
  const traced = await new App('inject/app.js', { collector: address }).ended;
  expect(traced).toEqual(plain);
  expect(JSON.parse(plain.stdout)).toHaveLength(3);

  const order = await collector.trace('/fastify/7');
  expect(order).toMatchObject({
    request: {
      method: 'POST',
      route: '/fastify/:id',
      query: { full: '1' },
      body: { note: 'soon' },
    },
    response: { statusCode: 201, headers: { 'x-order': '7' }, body: { id: '7', open: true } },
  });
  expect(order.attributes ?? {}).not.toHaveProperty('throughline.aborted');
  expect(order.flow.map(({ stepName }) => stepName)).toEqual(['answerOrder', 'findOrder']);
  expect((await collector.trace('/fastify/8')).flow.at(-1)).toMatchObject({ inputs: { id: '8' } });

  const hapi = await collector.trace('/hapi/9');
  expect(hapi).toMatchObject({ request: { route: '/hapi/{id}' }, response: { statusCode: 200 } });
  expect(hapi.flow.map(({ functionName }) => functionName)).toContain('findOrder');
  expect(collector.traces).toHaveLength(3);
});
