import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { readBeforeTimeouts } from './keep-alive.ts';

const KEEP_ALIVE_MS = 100;

/**
 * Program that sends one request for each message that it receives, all on one connection, and reports whether the request got a response.
 */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const socket = connect(workerData);
  const tell = (outcome) => () => parentPort.postMessage(outcome);
  socket.on('data', tell('answered')).on('error', () => {}).on('close', tell('closed'));
  parentPort.on('message', () => socket.write('GET / HTTP/1.1\\r\\nhost: here\\r\\n\\r\\n'));
`;

const open: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((end) => end()));
});

async function startServer() {
  const server = createServer((_request, response) => response.end('here'));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  readBeforeTimeouts(server);
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Worker(CLIENT, { eval: true, workerData: port });
  open.push(
    () => client.terminate(),
    () => server.close().closeAllConnections(),
  );
  const send = async (): Promise<unknown> => {
    const message = once(client, 'message');
    client.postMessage('send');
    return message.then(([outcome]) => outcome);
  };
  return { server, send };
}

/** Blocks the event loop, as parsing a large body does. */
function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a request that arrived while the server was blocked gets a response, although the connection's timeout had passed", async () => {
  const { send } = await startServer();
  expect(await send()).toBe('answered');
  const late = send();
  stall(KEEP_ALIVE_MS + 2500);
  expect(await late).toBe('answered');
});

test('an idle connection is closed after its timeout', async () => {
  const { server, send } = await startServer();
  const [connected] = await Promise.all([once(server, 'connection'), send()]);
  await once(connected[0], 'close');
});
