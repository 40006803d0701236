import { type RegistrationType, routes, TEXTS } from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../platform/http/errors.ts';
import { type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import { buildActor } from '../audit/index.ts';
import { readOrigin } from './devices.ts';
import type { Proofs } from './proofs.ts';
import type { Accounts } from './service.ts';
import { readBearerToken, type Sessions } from './sessions.ts';
import type { UserRow } from './store.ts';

const REGISTRATION_TYPES: readonly z.infer<typeof RegistrationType>[] = [
  {
    id: 'solo',
    name: 'Solo developer',
    description: 'Your own projects, on your own plan.',
    features: ['Trace your Node.js services', 'A 7-day free trial', 'Upgrade whenever you need more'],
  },
  {
    id: 'organization',
    name: 'Organization',
    description: 'Projects that a team shares, with roles and one bill.',
    features: ['Invite your team', 'Owner, admin and developer roles', 'An audit log of who did what'],
  },
];

export function registerAuthRoutes(
  http: HttpContext,
  deps: {
    readonly accounts: Accounts;
    readonly proofs: Proofs;
    readonly sessions: Sessions;
    /** Maps each request to the user that the session check found. */
    readonly users: WeakMap<FastifyRequest, UserRow>;
    readonly registration: 'open' | 'invite';
  },
): void {
  const { accounts, proofs, sessions, users } = deps;
  const isOpen = deps.registration === 'open';
  const refuseUninvited = () => {
    if (!isOpen) throw new AppError('registration_closed', TEXTS.registrationClosed);
  };
  const { auth, invitations } = routes;
  serveAnyone(http, auth.registrationTypes, async () => ({
    types: isOpen ? [...REGISTRATION_TYPES] : [],
  }));
  for (const route of [auth.register, auth.registerSolo]) {
    serveAnyone(http, route, async ({ body, request }) => {
      refuseUninvited();
      return accounts.registerSolo(body, readOrigin(request));
    });
  }
  serveAnyone(http, auth.registerOrganization, async ({ body, request }) => {
    refuseUninvited();
    return accounts.registerOrganization(body, readOrigin(request));
  });
  serveAnyone(http, auth.registerInvited, ({ params, body, request }) =>
    accounts.registerInvited(params.token, body, readOrigin(request)),
  );
  serveAnyone(http, auth.login, ({ body, request }) => accounts.login(body, readOrigin(request)));
  serveAnyone(http, auth.verifyLogin, ({ body, request }) => accounts.verifyLogin(body, readOrigin(request)));
  serveAnyone(http, invitations.accept, async ({ params, request }) => {
    const token = readBearerToken(request.headers.authorization);
    const user = token === undefined ? undefined : (await sessions.open(token, request.ip)).user;
    const session = token === undefined || user === undefined ? undefined : { user, token };
    return accounts.acceptInvitation(params.token, session, request.ip);
  });
  serve(http, auth.confirm, async ({ caller, request, body }) => {
    await proofs.confirm(caller, buildActor(caller, request), body);
    return { success: true as const };
  });
  serve(http, auth.session, async ({ request }) => {
    const user = users.get(request);
    if (user === undefined) throw new Error('the session of a call was not checked');
    return accounts.identify(user);
  });
  serve(http, auth.logout, async ({ caller }) => {
    await sessions.end(caller.sessionId);
    return { success: true as const };
  });
}
