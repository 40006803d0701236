import { randomBytes } from 'node:crypto';
import { fillPath, routes } from '@throughline/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createHttp } from './create-http.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { serveAnyone } from './serve.ts';
import { serveDashboard } from './static-files.ts';

const lines: string[] = [];
const log = createLog('trace', { write: (line) => void lines.push(line) });
const token = randomBytes(32).toString('base64url');
let app: FastifyInstance;
beforeAll(async () => {
  app = await createHttp(readConfig({ production: true, demo: false }, {}), log);
  const rateLimits = createRateLimits(app, false);
  const guard = {
    caller: () => Promise.reject(new Error('no session')),
    scope: async () => undefined,
    confirmation: async () => undefined,
  };
  serveAnyone({ app, guard, rateLimits }, routes.invitations.read, () =>
    Promise.reject(new Error('a fault of our own')),
  );
  await serveDashboard(app, '/nowhere');
});
afterAll(() => app.close());

test.each([
  [
    'the call about an invitation',
    fillPath(routes.invitations.read.path, { token }),
    '/api/auth/invitations/:token',
  ],
  ['the page of an invitation', `/invite/${token}`, '/invite/…'],
  ['the page of a shared trace', `/shared/${token}`, '/shared/…'],
  ['the page of a new password', `/reset-password?token=${token}`, '/reset-password'],
  ['a token where no page is', `/${token}`, '/…'],
  ['a token as the first part of a path', `/${token}/x`, '/…/…'],
  ['a token as the name of a parameter', `/login?${token}=1`, '/login'],
])('the request log at the most detailed level contains no token: %s', async (_what, url, path) => {
  lines.length = 0;
  await app.inject({
    url,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${token}`,
      referer: `http://localhost/invite/${token}`,
    },
  });
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toContain(token);
  expect(lines.map((line) => JSON.parse(line).path)).toContain(path);
});
