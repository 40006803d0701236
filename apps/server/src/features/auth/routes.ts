import { type RegistrationType, routes } from '@throughline/contract';
import type { z } from 'zod';
import { type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { Accounts } from './service.ts';
import { bearerToken, type Sessions } from './sessions.ts';

const REGISTRATION_TYPES: readonly z.infer<typeof RegistrationType>[] = [
  {
    id: 'solo',
    name: 'Solo developer',
    description: 'Your own projects, on your own plan.',
    features: ['Trace your Node.js services', 'A 7-day free trial', 'Upgrade whenever you need more'],
  },
];

export function registerAuthRoutes(http: HttpContext, accounts: Accounts, sessions: Sessions): void {
  serveAnyone(http, routes.auth.registrationTypes, async () => ({ types: [...REGISTRATION_TYPES] }));
  serveAnyone(http, routes.auth.register, ({ body }) => accounts.registerSolo(body));
  serveAnyone(http, routes.auth.registerSolo, ({ body }) => accounts.registerSolo(body));
  serveAnyone(http, routes.auth.login, ({ body, request }) => accounts.login(body, request.ip));
  serve(http, routes.auth.session, async ({ request }) => {
    const { user } = await sessions.open(bearerToken(request.headers.authorization));
    return accounts.identify(user);
  });
  serve(http, routes.auth.logout, async ({ caller }) => {
    await sessions.end(caller.sessionId);
    return { success: true as const };
  });
}
