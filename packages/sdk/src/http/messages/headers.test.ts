import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Headers, readRequestHeader, readResponseHeaders, requestHeaders } from './headers.ts';

let seen: Headers | undefined;
const server = createServer((req, res) => {
  res.on('close', () => {
    seen = readResponseHeaders(res);
  });
  if (req.url === '/straight') {
    res.writeHead(201, { 'Content-Type': 'text/plain', 'X-List': ['a', 'b'] });
  } else {
    res.setHeader('X-Count', 3);
    res.setHeader('Set-Cookie', ['a=1', 'b=2']);
  }
  res.end('ok');
});

beforeAll(() => new Promise<void>((done) => server.listen(0, done)));
afterAll(() => new Promise<void>((done) => void server.close(() => done())));

async function ask(path: string): Promise<Headers | undefined> {
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await expect.poll(() => seen).toBeDefined();
  const headers = seen;
  seen = undefined;
  return headers;
}

test('headers that the host passes directly to writeHead are captured', async () => {
  expect(await ask('/straight')).toMatchObject({ 'content-type': 'text/plain', 'x-list': ['a', 'b'] });
});

test('headers that the host sets one by one, and headers that Node adds, are captured', async () => {
  expect(await ask('/set')).toMatchObject({
    'x-count': '3',
    'set-cookie': ['a=1', 'b=2'],
    date: expect.any(String),
  });
});

test('a request whose headers cannot be read has no headers', () => {
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request, 'headers', {
    get() {
      throw new Error('The host does not allow this.');
    },
  });
  expect(requestHeaders(request)).toEqual({});
  expect(readRequestHeader(request, 'host')).toBeUndefined();
});

test('numbers in the list of values of a header are captured as text, also before the headers are sent', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // Node accepts numbers in a list, although its types do not allow them.
  Reflect.apply(response.setHeader, response, ['x-ids', [1, 2]]);
  expect(readResponseHeaders(response)).toEqual({ 'x-ids': ['1', '2'] });
});
