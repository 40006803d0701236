import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { serve } from '../../../test/watched.ts';
import { defaultLimits } from '../capture/limits.ts';

function take(value: unknown) {
  const snapshotter = plainSnapshotter(defaultLimits);
  snapshotter.beginStep();
  return snapshotter.take(value, []);
}

test('a captured request and response show the properties that the program added, not their sockets', async () => {
  let shown: unknown;
  const running = await serve((req, res) => {
    Object.assign(req, { params: { id: '7' }, user: { name: 'Ada' }, body: [1] });
    res.statusCode = 201;
    shown = take({ req, res });
    res.end();
  });
  await fetch(`${running.url}/a?b=1`);
  await running.close();
  expect(shown).toEqual({
    req: {
      $type: 'object',
      class: 'IncomingMessage',
      properties: { url: '/a?b=1', method: 'GET', params: { id: '7' }, user: { name: 'Ada' }, body: [1] },
    },
    res: { $type: 'object', class: 'ServerResponse', properties: { statusCode: 201 } },
  });
});

test('a socket, a server and a stream are shown by class, without the objects they refer to', () => {
  const socket = connect({ port: 1, host: '127.0.0.1' }).on('error', () => {});
  class Lines extends Readable {}
  expect([socket, createServer(), new Lines()].map(take)).toEqual(
    ['Socket', 'Server', 'Lines'].map((name) => ({ $type: 'object', class: name, properties: {} })),
  );
  socket.destroy();
});

test('an object that only looks like a request is copied like any other object', () => {
  expect(take({ method: 'GET', socket: { a: 1 } })).toEqual({ method: 'GET', socket: { a: 1 } });
});

test('a timer or another resource of Node does not show its async context', () => {
  const context = { tenant: 'acme' };
  const made = new AsyncLocalStorage<object>().run(context, () => setTimeout(() => {}, 1));
  clearTimeout(made);
  expect(JSON.stringify(take(made))).not.toMatch(/tenant|kAsyncContextFrame|kAsyncLocalStorageContext/);
  // The symbols under which Node 20 stores async ids.
  const ids = { [Symbol('async_id_symbol')]: 8, [Symbol('trigger_async_id_symbol')]: 2 };
  const older = { ...ids, [Symbol('kResourceStore')]: context, [Symbol('triggerId')]: 7 };
  expect(take(older)).toEqual({ 'Symbol(triggerId)': 7 });
});
