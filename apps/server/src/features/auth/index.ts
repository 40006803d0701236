import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Caller } from '../../platform/http/guard.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import type { SessionId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Orgs } from '../orgs/index.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { registerAuthRoutes } from './routes.ts';
import { createAccounts } from './service.ts';
import { createSessionWatch } from './session-watch.ts';
import { bearerToken, createSessions } from './sessions.ts';
import type { UserRow } from './store.ts';

export { hashPassword } from './passwords.ts';

export interface Auth {
  register(http: HttpContext): void;
  /** Who calls. @throws AppError `unauthenticated` */
  caller(request: FastifyRequest): Promise<Caller>;
  /** Calls the listener once when the session ends, wherever it is ended. Returns how to stop listening. */
  onSessionEnded(id: SessionId, listener: () => void): () => void;
  close(): void;
}

export async function createAuth(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly orgs: Orgs;
}): Promise<Auth> {
  const watch = await createSessionWatch(deps);
  const sessions = createSessions({ ...deps, onEnded: watch.announce });
  const accounts = createAccounts({ ...deps, sessions, throttle: createLoginThrottle(deps.clock) });
  /** Who was found to call, for the call that asks just that. */
  const users = new WeakMap<FastifyRequest, UserRow>();
  return {
    register: (http) => registerAuthRoutes(http, { accounts, sessions, users }),
    async caller(request) {
      const { caller, user } = await sessions.open(bearerToken(request.headers.authorization));
      users.set(request, user);
      return caller;
    },
    onSessionEnded: watch.onEnded,
    close: watch.close,
  };
}
