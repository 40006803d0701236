import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { nextTrace, type Running, serve, unexpectedTraces, watch } from '../../../test/watched.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';

let running: Running | undefined;

beforeAll(watch);
afterEach(async () => {
  await running?.close();
  expect(unexpectedTraces()).toBe(0);
});

async function upgrade(server: Server): Promise<string> {
  running = await serve(() => {}, server);
  const socket = connect(running.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'GET /feed?room=1 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\nx-who: me\r\n\r\n',
  );
  const [head] = await once(socket, 'data');
  socket.destroy();
  return String(head);
}

test('the trace of an upgrade request ends with the handshake, and the upgraded connection is unchanged', async () => {
  const server = createServer();
  const keys: string[][] = [];
  server.on('upgrade', (_req, socket) => {
    expect(getCurrentRecording()).toBeDefined();
    socket.resume().on('end', () => socket.end());
    setTimeout(() => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n');
      keys.push(['write', 'end', 'emit'].filter((name) => Object.hasOwn(socket, name)));
    }, 5);
  });
  expect(await upgrade(server)).toContain('101 Switching');
  expect(await nextTrace()).toMatchObject({
    request: { method: 'GET', path: '/feed', query: { room: '1' }, headers: { 'x-who': 'me' } },
    response: { statusCode: 101, headers: { upgrade: 'echo' } },
    error: { hasError: false },
  });
  expect(keys).toEqual([[]]);
});

test('the trace of an upgrade request that the host refuses has the status of the refusal', async () => {
  const server = createServer();
  server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'));
  expect(await upgrade(server)).toContain('401');
  const { response, attributes } = await nextTrace();
  expect(response.statusCode).toBe(401);
  expect(attributes).toBeUndefined();
});

test('an upgrade request that is closed without a response is marked as aborted', async () => {
  const server = createServer();
  server.on('upgrade', (_req, socket) => socket.destroy());
  running = await serve(() => {}, server);
  const socket = connect(running.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
  expect((await nextTrace()).attributes).toEqual({ 'throughline.aborted': true });
  socket.destroy();
});
