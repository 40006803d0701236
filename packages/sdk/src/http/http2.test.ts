import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
} from 'node:http2';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { nextTrace, unexpectedTraces, watch } from '../../test/watched.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';

let server: Http2Server | undefined;
let client: ClientHttp2Session | undefined;

beforeAll(watch);
afterEach(async () => {
  client?.destroy();
  await new Promise<void>((done) => (server === undefined ? done() : server.close(() => done())));
  expect(unexpectedTraces()).toBe(0);
});

async function session(made: Http2Server, scheme = 'http', options = {}): Promise<ClientHttp2Session> {
  server = made;
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  const address = made.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  client = connect(`${scheme}://127.0.0.1:${address.port}`, options);
  client.on('error', () => {});
  return client;
}

async function ask(
  to: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<[number, string]> {
  const stream = to.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const answered = once(stream, 'response');
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  const [head]: IncomingHttpHeaders[] = await answered;
  return [Number(head?.[':status']), text];
}

test('a request over HTTP/2 with the HTTP/1-compatible API is recorded completely, and once', async () => {
  const h2 = await session(
    createServer((req, res) => {
      let text = '';
      req.on('data', (chunk) => {
        text += chunk;
        expect(getCurrentRecording()).toBeDefined();
      });
      req.on('end', () => {
        res.writeHead(201, { 'content-type': 'application/json', 'x-kind': 'compat' });
        res.write('{"got":');
        res.end(`${text}}`);
      });
    }),
  );
  const json = { 'content-type': 'application/json', 'user-agent': 'tester' };
  const answer = await ask(h2, { ':method': 'POST', ':path': '/a?x=1', ...json }, '{"n":1}');
  expect(answer).toEqual([201, '{"got":{"n":1}}']);
  const trace = await nextTrace();
  const { port } = new URL(trace.request.url ?? '');
  expect(trace).toMatchObject({
    request: {
      method: 'POST',
      path: '/a',
      url: `http://127.0.0.1:${port}/a?x=1`,
      query: { x: '1' },
      headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json' },
      body: { n: 1 },
      ip: '127.0.0.1',
      userAgent: 'tester',
    },
    response: { statusCode: 201, headers: { 'x-kind': 'compat' }, body: { got: { n: 1 } } },
    error: { hasError: false },
  });
  expect(trace.attributes).toBeUndefined();
});

test('an HTTP/2 stream is recorded completely, even if other streams use the same connection', async () => {
  const made = createServer();
  made.on('stream', (stream, headers) => {
    const own = getCurrentRecording();
    setTimeout(
      () => {
        expect(getCurrentRecording()).toBe(own);
        stream.respond({ ':status': 200, 'content-type': 'text/plain' });
        stream.end(`you asked for ${headers[':path']}`);
      },
      headers[':path'] === '/1' ? 20 : 1,
    );
  });
  const h2 = await session(made);
  const paths = ['/1', '/2', '/3'];
  const answers = await Promise.all(paths.map((path) => ask(h2, { ':path': path })));
  expect(answers.map(([, text]) => text)).toEqual(paths.map((path) => `you asked for ${path}`));
  const traces = [await nextTrace(), await nextTrace(), await nextTrace()];
  expect(new Map(traces.map(({ request, response }) => [request.path, response.body]))).toEqual(
    new Map(paths.map((path) => [path, `you asked for ${path}`])),
  );
});

test('HTTP/2 requests over TLS have an https URL, a HEAD response has no body, and a 500 is an error', async () => {
  const tls = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
  const psk = Buffer.from('0123456789abcdef');
  const made = createSecureServer({ ...tls, pskCallback: () => psk }, (req, res) => {
    res.statusCode = req.method === 'HEAD' ? 200 : 500;
    res.end('body');
  });
  const h2 = await session(made, 'https', {
    ...tls,
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk, identity: 'test' }),
  });
  expect(await ask(h2, { ':path': '/', ':method': 'HEAD' })).toEqual([200, '']);
  const head = await nextTrace();
  expect(head.request.url).toMatch(/^https:/);
  expect(head.response).toMatchObject({ statusCode: 200 });
  expect(head.response.body).toBeUndefined();
  await ask(h2, { ':path': '/' });
  expect((await nextTrace()).error).toMatchObject({ hasError: true, errorCode: '500' });
});

test('the trace of a stream that the client resets is marked as aborted', async () => {
  const h2 = await session(createServer(() => {}));
  const stream = h2.request({ ':path': '/slow' });
  stream.on('error', () => {});
  setTimeout(() => stream.close(8), 20);
  const trace = await nextTrace();
  expect(trace.attributes).toEqual({ 'throughline.aborted': true });
  expect(trace.response.statusCode).toBeUndefined();
});
