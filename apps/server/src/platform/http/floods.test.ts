import { once } from 'node:events';
import { connect } from 'node:net';
import { API_LIMITS, routes } from '@throughline/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createId, type SessionId, type UserId } from '../ids.ts';
import { createLog } from '../log.ts';
import { createHttp } from './create-http.ts';
import type { Guard } from './guard.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { serve, serveAnyone } from './serve.ts';

const CALLS = 100;
const PIECE = Buffer.alloc(4096, ' ');

/** Number of session lookups that are running, and the most that ran at a time. No lookup ends before all requests have arrived. */
const lookups = { running: 0, most: 0 };
const { promise: allCame, resolve: seeAll } = Promise.withResolvers<void>();
const guard: Guard = {
  async caller() {
    lookups.running += 1;
    lookups.most = Math.max(lookups.most, lookups.running);
    await allCame;
    await new Promise(setImmediate);
    lookups.running -= 1;
    return {
      sessionId: createId<SessionId>(),
      userId: createId<UserId>(),
      email: 'one@test.example',
      authenticatedAt: new Date(),
      userType: 'solo',
      organization: null,
    };
  },
  scope: async () => undefined,
  confirmation: async () => undefined,
};

let app: FastifyInstance;
let url: URL;
beforeAll(async () => {
  const config = readConfig({ production: false, demo: false }, {});
  app = await createHttp(config, createLog('fatal'));
  const http = { app, guard, rateLimits: createRateLimits(app, false) };
  let came = 0;
  app.addHook('onRequest', async () => {
    came += 1;
    if (came === CALLS) setImmediate(seeAll);
  });
  serve(http, routes.auth.logout, async () => ({ success: true as const }));
  serveAnyone(http, routes.auth.register, () => {
    throw new Error('reached with a body that is too large');
  });
  url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(() => app.close());

test('concurrent session look-ups run a few at a time, and all requests get a response', async () => {
  const call = () => fetch(new URL(routes.auth.logout.path, url), { method: 'POST' });
  const answers = await Promise.all(Array.from({ length: CALLS }, call));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(lookups.most).toBeGreaterThan(1);
  expect(lookups.most).toBeLessThanOrEqual(8);
});

test.each(['keep-alive', 'close'])(
  'a body above the limit is read to its end after the response, so that the connection is not reset (%s)',
  async (connection) => {
    const length = 4 * API_LIMITS.openBodyBytes.max;
    const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    socket.write(
      `POST ${routes.auth.register.path} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: ${connection}\r\n` +
        `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    );
    const answered = once(socket, 'data');
    const closed = once(socket, 'close');
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 413 /);
    // If the server left some of these bytes unread, closing the connection would reset it.
    for (let sent = 0; sent < length; sent += PIECE.length) {
      await new Promise((written) => socket.write(PIECE, written));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    socket.end();
    await closed;
    expect(errors).toEqual([]);
  },
);
