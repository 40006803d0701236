import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describeExcess } from '@throughline/contract';
import { OTLP_START, otlpProtobuf, otlpRequest, otlpSpan } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeRequest, field, repeat, spanFields } from '../fixtures/wire.ts';

const scene = sceneOfFile({ env: { OTLP_GRPC_PORT: '0' } });

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const body = otlpProtobuf(otlpRequest('shop', [otlpSpan(1, undefined), otlpSpan(2, 1)]));

let session: ClientHttp2Session;
beforeEach(async () => {
  session = connect(`http://127.0.0.1:${scene.server.app.otlpGrpcPort()}`);
  await once(session, 'connect');
});
afterEach(() => session.destroy());

type Headers = Readonly<Record<string, string>>;

/** Adds the head of a gRPC frame (compression flag and length) to a message. */
function framed(message: Buffer, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

function open(headers: Headers = {}, over = session) {
  return over.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...('authorization' in headers ? {} : { 'x-api-key': scene.project.apiKey }),
    ...headers,
  });
}

/** Sends a message in one or more pieces. Returns how the call ended. */
async function call(sent: Buffer | readonly Buffer[], headers?: Headers) {
  const stream = open(headers);
  const received: Record<string, unknown> = {};
  stream.on('response', (answer) => Object.assign(received, answer));
  stream.on('trailers', (trailers) => Object.assign(received, trailers));
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const piece of Buffer.isBuffer(sent) ? [sent] : sent) stream.write(piece);
  stream.end();
  await once(stream, 'close');
  return {
    http: received[':status'],
    status: received['grpc-status'],
    message: decodeURIComponent(String(received['grpc-message'] ?? '')),
    details: Buffer.from(String(received['grpc-status-details-bin'] ?? ''), 'base64'),
    bytes: Buffer.concat(chunks),
  };
}

describe('an OpenTelemetry call over gRPC is refused', () => {
  const RETRY = 'google.rpc.RetryInfo';

  test.each<[string, string, Buffer, Headers, RegExp]>([
    ['without a key', '16', framed(body), { 'x-api-key': '' }, /key/],
    ['with an unknown key', '16', framed(body), { 'x-api-key': 'tl_no' }, /key/],
    [
      'for metrics',
      '12',
      framed(body),
      { ':path': PATH.replace('trace.v1.Trace', 'metrics.v1.Metrics') },
      /traces/,
    ],
    ['packed in another way', '12', framed(body, { flag: 1 }), { 'grpc-encoding': 'snappy' }, /gzip/],
    ['packed without saying how', '3', framed(body, { flag: 1 }), {}, /./],
    [
      'that is not what it says it is packed as',
      '3',
      framed(body, { flag: 1 }),
      { 'grpc-encoding': 'gzip' },
      /./,
    ],
    ['that is cut off', '3', framed(body).subarray(0, -1), {}, /incomplete/],
    ['that ends before its message begins', '3', framed(body).subarray(0, 4), {}, /incomplete/],
    ['with two messages', '3', Buffer.concat([framed(body), framed(body)]), {}, /more than one/],
    [
      'with no ExportTraceServiceRequest',
      '3',
      framed(Buffer.from('hello there')),
      {},
      /ExportTraceServiceRequest/,
    ],
    ['that says it is over 8 MB', '3', framed(body, { length: 8 * 1024 * 1024 + 1 }), {}, /8 MB/],
  ])('%s, with the code %s', async (_which, code, sent, headers, message) => {
    const refused = await call(sent, headers);
    expect(refused).toMatchObject({ http: 200, status: code, message: expect.stringMatching(message) });
    expect(refused.details.includes(RETRY)).toBe(false);
  });

  test('and counted under the reason of the refusal', async () => {
    const metrics = await (await fetch(`${scene.server.url}/metrics`)).text();
    for (const [reason, count] of [
      ['invalid_encoding', 2],
      ['invalid_json', 3],
      ['unsupported_media_type', 1],
    ]) {
      expect(metrics).toContain(`throughline_batches_refused_total{reason="${reason}"} ${count}\n`);
    }
    expect(metrics).not.toContain('not_found');
  });

  test('and none of its spans is stored', async () => {
    expect(await scene.list()).toEqual([]);
  });

  test('if there is no memory for the message; the error names the time after which the client can send the call again', async () => {
    const large = framed(Buffer.alloc(7 * 1024 * 1024), { length: 8 * 1024 * 1024 });
    const refusals: Record<string, unknown>[] = [];
    // Node's client refuses responses while the data that waits to be sent exceeds `maxSessionMemory` (in MB), so the limit is raised.
    const many = connect(`http://127.0.0.1:${scene.server.app.otlpGrpcPort()}`, { maxSessionMemory: 1000 });
    const waiting = Array.from({ length: 24 }, () => {
      const stream = open({}, many);
      stream.on('error', () => {}).on('response', (answer) => refusals.push(answer));
      stream.write(large);
      return stream;
    });
    await expect.poll(() => refusals[0], { timeout: 30_000 }).toMatchObject({ 'grpc-status': '14' });
    const details = Buffer.from(String(refusals[0]?.['grpc-status-details-bin']), 'base64');
    expect(details.includes(RETRY)).toBe(true);
    for (const stream of waiting) stream.close();
    many.destroy();
    await expect.poll(async () => (await call(framed(body))).status, { timeout: 30_000 }).toBe('0');
  });

  test.runIf(isThorough())(
    'if 256 other calls of its project are waiting, even if they sent no data',
    async () => {
      // Uses a new project, since calls of the previous test can still be ending.
      const { apiKey } = (await newcomer(scene.server)).project;
      const sessions = [1, 2, 3].map(() => connect(`http://127.0.0.1:${scene.server.app.otlpGrpcPort()}`));
      const refusals: Record<string, unknown>[] = [];
      const waiting = sessions.flatMap((each) =>
        Array.from({ length: 90 }, () => {
          const stream = open({ 'x-api-key': apiKey }, each);
          return stream.on('error', () => {}).on('response', (answer) => refusals.push(answer));
        }),
      );
      await expect.poll(() => refusals.length, { timeout: 30_000 }).toBe(waiting.length - 256);
      expect(refusals[0]).toMatchObject({
        'grpc-status': '8',
        'grpc-message': expect.stringMatching(/at most 256 concurrent requests/),
      });
      const details = Buffer.from(String(refusals[0]?.['grpc-status-details-bin']), 'base64');
      expect(details.includes(RETRY)).toBe(true);
      for (const stream of waiting) stream.close();
      for (const each of sessions) each.destroy();
      await expect.poll(async () => (await call(framed(body))).status, { timeout: 30_000 }).toBe('0');
    },
  );

  test('if it exceeds a limit; the error names the limit and tells the client not to send the call again', async () => {
    const events = encodeRequest(
      field(2, spanFields(1, { more: repeat(Buffer.from([0x5a, 0]), 1_000_000) })),
    );
    const refused = await call(framed(gzipSync(events), { flag: 1 }), { 'grpc-encoding': 'gzip' });
    expect(refused).toMatchObject({ http: 200, status: '3', message: describeExcess('spanEvents') });
    expect(refused.details.includes(RETRY)).toBe(false);
  });

  test('if its headers exceed 16 kB, while other calls of the same connection get a response', async () => {
    // Sends a first call, because the client applies the server's limit on headers only after it has received the server's settings.
    await call(framed(body));
    const stream = open({ 'x-large': 'x'.repeat(17 * 1024) });
    const ended = await new Promise<string>((resolve) => {
      stream.on('response', (answer) => resolve(String(answer[':status'])));
      stream.on('error', (error) => resolve(error.message));
      stream.on('close', () => resolve(`closed with ${stream.rstCode}`));
    });
    expect(ended).toMatch(/ENHANCE_YOUR_CALM/);
    expect(await call(framed(body))).toMatchObject({ status: '0' });
  });

  test('with an HTTP status if it is not gRPC', async () => {
    expect(await call(body, { 'content-type': 'application/x-protobuf' })).toMatchObject({ http: 415 });
  });
});

test.each([
  ['uncompressed', framed(body), {}],
  ['with gzip', framed(gzipSync(body), { flag: 1 }), { 'grpc-encoding': 'gzip' }],
  ['with zstd', framed(zstdCompressSync(body), { flag: 1 }), { 'grpc-encoding': 'zstd' }],
  ['uncompressed although gzip was announced', framed(body), { 'grpc-encoding': 'gzip' }],
])('spans sent %s are stored before the response', async (_how, sent, headers) => {
  expect(await call(sent, headers as Headers)).toMatchObject({
    http: 200,
    status: '0',
    bytes: framed(Buffer.alloc(0)),
  });
  expect(await scene.onlyTrace()).toMatchObject({ service: 'shop', stepCount: 1 });
});

test('the server accepts the API key as a bearer token, and a message that arrives byte by byte', async () => {
  const pieces = [...framed(body)].map((byte) => Buffer.from([byte]));
  const headers = { authorization: `Bearer ${scene.project.apiKey}` };
  expect(await call(pieces, headers)).toMatchObject({ status: '0' });
  expect(await scene.list()).toHaveLength(1);
});

test('rejected spans of a call are reported as a partial success', async () => {
  const old = String(OTLP_START - 2n * 3_600_000_000_000n);
  const spans = [
    otlpSpan(1, undefined),
    otlpSpan(2, undefined, { startTimeUnixNano: old, endTimeUnixNano: old }),
  ];
  const { status, bytes } = await call(framed(otlpProtobuf(otlpRequest('shop', spans))));
  expect(status).toBe('0');
  expect(bytes.subarray(5, 6)).toEqual(Buffer.from([0x0a]));
  expect(bytes.toString()).toContain('too_old');
  expect(await scene.list()).toHaveLength(1);
});

test('the response to 50,000 rejected spans has a few hundred bytes', async () => {
  const request = encodeRequest(repeat(Buffer.from([0x12, 0]), 50_000), field(2, spanFields(1)));
  const { status, bytes } = await call(framed(request));
  expect(status).toBe('0');
  expect(bytes.toString()).toContain('; and 49995 more');
  expect(bytes.length).toBeLessThan(1000);
});
