import { type RegistrationType, routes } from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { Accounts } from './service.ts';
import type { Sessions } from './sessions.ts';
import type { UserRow } from './store.ts';

const REGISTRATION_TYPES: readonly z.infer<typeof RegistrationType>[] = [
  {
    id: 'solo',
    name: 'Solo developer',
    description: 'Your own projects, on your own plan.',
    features: ['Trace your Node.js services', 'A 7-day free trial', 'Upgrade whenever you need more'],
  },
];

export function registerAuthRoutes(
  http: HttpContext,
  deps: {
    readonly accounts: Accounts;
    readonly sessions: Sessions;
    /** By the request: whom the session check found. */
    readonly users: WeakMap<FastifyRequest, UserRow>;
  },
): void {
  const { accounts, sessions, users } = deps;
  serveAnyone(http, routes.auth.registrationTypes, async () => ({ types: [...REGISTRATION_TYPES] }));
  serveAnyone(http, routes.auth.register, ({ body }) => accounts.registerSolo(body));
  serveAnyone(http, routes.auth.registerSolo, ({ body }) => accounts.registerSolo(body));
  serveAnyone(http, routes.auth.login, ({ body, request }) => accounts.login(body, request.ip));
  serve(http, routes.auth.session, async ({ request }) => {
    const user = users.get(request);
    if (user === undefined) throw new Error('a call came past the session check');
    return accounts.identify(user);
  });
  serve(http, routes.auth.logout, async ({ caller }) => {
    await sessions.end(caller.sessionId);
    return { success: true as const };
  });
}
