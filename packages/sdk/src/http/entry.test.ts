import { once } from 'node:events';
import { request, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { host, nextTrace, type Running, serve, unexpectedTraces, watch } from '../../test/watched.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';

let running: Running | undefined;

beforeAll(watch);
beforeEach(() => {
  Object.assign(host, { on: true, sampleRate: 1, bodyBytes: 64 * 1024 });
});
afterEach(async () => {
  await running?.close();
  expect(unexpectedTraces()).toBe(0);
});

test('a request and its response are recorded completely', async () => {
  running = await serve((req, res) => {
    req.resume();
    req.on('end', () => {
      res.writeHead(201, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
      res.write('hel');
      res.end(Buffer.from('lo'));
    });
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await fetch(`${running.url}/a/b?x=1&x=2`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'tester',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: '{"n":1}',
  });
  const trace = await nextTrace();
  expect(trace).toMatchObject({
    traceId,
    parentSpanId: '00f067aa0ba902b7',
    request: {
      method: 'PUT',
      path: '/a/b',
      url: `${running.url}/a/b?x=1&x=2`,
      query: { x: ['1', '2'] },
      headers: { 'user-agent': 'tester', host: `127.0.0.1:${running.port}` },
      body: { n: 1 },
      ip: '127.0.0.1',
      userAgent: 'tester',
    },
    response: { statusCode: 201, headers: { 'set-cookie': ['a=1', 'b=2'] }, body: 'hello' },
    error: { hasError: false, errorMessage: null, errorCode: null },
    flow: [],
    dropped: { steps: 0, values: 0, bytes: 0 },
  });
  expect(trace._id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(trace.timing.startTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(Math.abs(Date.parse(trace.timing.startTime) - Date.now())).toBeLessThan(10_000);
  expect(trace.timing.duration).toBeGreaterThan(0);
  expect(trace.performance.memoryUsage.heapUsed).toBeGreaterThan(1_000_000);
});

test('a body that the host never reads is captured, and does not disturb the host', async () => {
  running = await serve((_req, res) => void res.end('no thanks'));
  const response = await fetch(running.url, { method: 'POST', body: 'x'.repeat(10) });
  expect(await response.text()).toBe('no thanks');
  expect((await nextTrace()).request.body).toBe('x'.repeat(10));
});

test('a large upload and a large download are unchanged and captured in part', async () => {
  const size = 5_000_000;
  running = await serve((req, res) => {
    res.setHeader('content-type', 'text/plain');
    req.pipe(res);
  });
  const response = await fetch(running.url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'y'.repeat(size),
  });
  expect((await response.text()).length).toBe(size);
  const trace = await nextTrace();
  const kept = { $type: 'string', length: size, value: 'y'.repeat(64 * 1024) };
  expect(trace.request.body).toEqual(kept);
  expect(trace.response.body).toEqual(kept);
});

test("listeners of the request and the response run in the request's context", async () => {
  const seen: boolean[] = [];
  running = await serve((req, res) => {
    const own = getCurrentRecording();
    for (const event of ['data', 'end']) req.on(event, () => seen.push(getCurrentRecording() === own));
    for (const event of ['finish', 'close']) res.on(event, () => seen.push(getCurrentRecording() === own));
    req.on('end', () => res.end('ok'));
    expect(own).toBeDefined();
  });
  const socket = connect(running.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 6\r\n\r\nabc');
  setTimeout(() => socket.write('def'), 20);
  await once(socket, 'data');
  await nextTrace();
  socket.destroy();
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(seen.every(Boolean)).toBe(true);
});

test('each of several pipelined requests on one connection has its own trace', async () => {
  running = await serve((req, res) => {
    setTimeout(() => res.end(req.url), req.url === '/1' ? 20 : 1);
  });
  const socket = connect(running.port, '127.0.0.1');
  socket.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n');
  const traces = [await nextTrace(), await nextTrace()];
  socket.destroy();
  expect(traces.map((trace) => [trace.request.path, trace.response.body])).toEqual([
    ['/1', '/1'],
    ['/2', '/2'],
  ]);
  expect(new Set(traces.map((trace) => trace.traceId)).size).toBe(2);
});

test('the trace of a request whose client disconnects is marked as aborted and has no status', async () => {
  running = await serve(() => {});
  const client = request(`${running.url}/slow`);
  client.on('error', () => {});
  client.end();
  setTimeout(() => client.destroy(), 20);
  const trace = await nextTrace();
  expect(trace.response.statusCode).toBeUndefined();
  expect(trace.attributes).toEqual({ 'throughline.aborted': true });
  expect(trace.request.ip).toBe('127.0.0.1');
});

test('a 500 response is an error, a 404 response is not', async () => {
  running = await serve((req, res) => {
    res.statusCode = Number(req.url?.slice(1));
    res.end();
  });
  await fetch(`${running.url}/500`);
  expect((await nextTrace()).error).toEqual({
    hasError: true,
    errorMessage: '500 Internal Server Error',
    errorCode: '500',
  });
  await fetch(`${running.url}/404`);
  expect((await nextTrace()).error.hasError).toBe(false);
});

test('no response body is shown for HEAD, 204 and 304', async () => {
  running = await serve((req, res) => {
    res.statusCode = Number(req.url?.slice(1));
    res.setHeader('etag', '"1"');
    res.end('dropped by Node');
  });
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const) {
    expect(await (await fetch(`${running.url}/${status}`, { method })).text()).toBe('');
    const { response, attributes } = await nextTrace();
    expect(response).toMatchObject({ statusCode: status, headers: { etag: '"1"' } });
    expect(response.body).toBeUndefined();
    expect(attributes).toBeUndefined();
  }
});

test('server-sent events reach the client before the response ends, and are in the trace', async () => {
  running = await serve((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: 1\n\n');
    setTimeout(() => res.end('data: 2\n\n'), 30);
  });
  const reader = (await fetch(running.url)).body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n');
  expect(unexpectedTraces()).toBe(0);
  await reader?.read();
  expect((await nextTrace()).response.body).toBe('data: 1\n\ndata: 2\n\n');
});

test('no query and no body is sent if values are not captured', async () => {
  host.bodyBytes = 0;
  running = await serve((_req, res) => void res.end('secret'));
  await fetch(`${running.url}/a?secret=1`, { method: 'POST', body: 'secret' });
  const trace = await nextTrace();
  expect(JSON.stringify(trace)).not.toContain('secret');
  expect(trace.request.path).toBe('/a');
});

test('a request that expects 100-continue is traced too', async () => {
  running = await serve(() => {});
  running.server.on('checkContinue', (_req, res) => {
    res.writeContinue();
    res.end('go');
  });
  const client = request(running.url, { method: 'POST', headers: { expect: '100-continue' } });
  client.on('continue', () => client.end('body'));
  client.on('response', (response) => response.resume());
  client.flushHeaders();
  expect((await nextTrace()).response.statusCode).toBe(200);
});

test('a request that one server passes to another server is traced once', async () => {
  const second = await serve((_req, res) => void res.end('second'));
  running = await serve((req, res) => void second.server.emit('request', req, res));
  expect(await (await fetch(running.url)).text()).toBe('second');
  await nextTrace();
  await second.close();
});

test('no request is traced with capture off, and a request that is not sampled has no steps', async () => {
  running = await serve((_req, res) => {
    res.end(String(getCurrentRecording() === undefined));
  });
  host.on = false;
  expect(await (await fetch(running.url)).text()).toBe('true');
  expect(unexpectedTraces()).toBe(0);
  host.on = true;
  host.sampleRate = 0;
  expect(await (await fetch(running.url)).text()).toBe('true');
  expect((await nextTrace()).flow).toEqual([]);
});

test('the methods that the SDK replaces keep their names and are not enumerable', () => {
  for (const name of ['write', 'end', 'emit']) {
    const descriptor = Object.getOwnPropertyDescriptor(ServerResponse.prototype, name);
    expect(descriptor?.enumerable).toBe(false);
    expect(descriptor?.value.name).toBe(name);
  }
});
