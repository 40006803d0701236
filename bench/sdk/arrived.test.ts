import { request } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { answer, Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countAppMap, countPost, sumArrived } from './arrived.ts';

const collector = new Collector((response) => answer(response, 200, '{}'));
let address: string;
beforeAll(async () => {
  address = await collector.start();
});
afterAll(() => collector.stop());

/** Posts a body over HTTP. Returns the counts of its contents. */
async function counted(path: string, body: Buffer | string, encoding?: string) {
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding };
  await new Promise<void>((done, fail) => {
    const sent = request(address + path, { method: 'POST', headers }, (response) => {
      response.resume().on('end', done);
    });
    sent.on('error', fail).end(body);
  });
  return sumArrived(collector.take().map(countPost));
}

test('requests, steps and steps with values are counted in the gzipped traces that the SDK sends', async () => {
  const flow = [{ stepId: '1', variables: {} }, { stepId: '2' }];
  const body = gzipSync(JSON.stringify({ traces: [{ flow }, { flow: [] }] }));
  expect(await counted('/api/ingest/traces', body, 'gzip')).toEqual({ requests: 2, steps: 2, withValues: 1 });
});

test('OpenTelemetry spans of kind SERVER count as requests', async () => {
  const span = (kind: number) => Buffer.from([0x12, 2, 0x30, kind]);
  const scope = Buffer.concat([Buffer.from([0x12, 8]), span(2), span(1)]);
  const resource = Buffer.concat([Buffer.from([0x0a, scope.length]), scope]);
  expect(await counted('/v1/traces', resource)).toEqual({ requests: 1, steps: 2, withValues: 0 });
});

test('dd-trace traces count as requests if their root is a web span', async () => {
  const text = (value: string) => Buffer.concat([Buffer.from([0xa0 | value.length]), Buffer.from(value)]);
  const span = (type: string, parent: bigint) => {
    const id = Buffer.alloc(9, 0xcf);
    id.writeBigUInt64BE(parent, 1);
    const numbers = Buffer.from([
      0xcb, 0, 0, 0, 0, 0, 0, 0, 0, 0xd1, 0xff, 0x00, 0xda, 0, 1, 0x61, 0xc0, 0xc3, 0xff,
    ]);
    return Buffer.concat([
      Buffer.from([0x84]),
      text('type'),
      text(type),
      text('parent_id'),
      id,
      Buffer.from([0x01]),
      Buffer.from([0xdc, 0, 6]),
      numbers,
      text('x'),
      Buffer.from([0xde, 0, 0]),
    ]);
  };
  const web = Buffer.concat([Buffer.from([0x92]), span('web', 0n), span('', 7n)]);
  const dns = Buffer.concat([Buffer.from([0x91]), span('dns', 0n)]);
  const body = Buffer.concat([Buffer.from([0xdd, 0, 0, 0, 2]), web, dns]);
  expect(await counted('/v0.4/traces', body)).toEqual({ requests: 1, steps: 3, withValues: 0 });
});

test("segments among the streamed spans of Sentry's SDK count as requests", async () => {
  const items = [{ is_segment: false }, { is_segment: true }];
  const lines = [{ sent_at: 'now' }, { type: 'span' }, { version: 2, items }].map((line) =>
    JSON.stringify(line),
  );
  expect(await counted('/api/1/envelope/?sentry_version=7', lines.join('\n'))).toEqual({
    requests: 1,
    steps: 2,
    withValues: 0,
  });
});

test("transactions and spans are counted in the deflated lines that Elastic's agent sends", async () => {
  const lines = [{ metadata: {} }, { transaction: {} }, { span: {} }].map((line) => JSON.stringify(line));
  expect(await counted('/intake/v2/events', deflateSync(`${lines.join('\n')}\n`), 'deflate')).toEqual({
    requests: 1,
    steps: 1,
    withValues: 0,
  });
});

test('requests and other calls are counted in the files of AppMap', () => {
  const events = [{ event: 'call', http_server_request: {} }, { event: 'call' }, { event: 'return' }];
  expect(countAppMap(JSON.stringify({ events }))).toEqual({ requests: 1, steps: 1, withValues: 1 });
});

test('a body in an unknown format counts as no request, no step and no step with values', async () => {
  expect(await counted('/info', 'whatever')).toEqual({ requests: 0, steps: 0, withValues: 0 });
});
