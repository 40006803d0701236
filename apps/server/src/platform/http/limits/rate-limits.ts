import type { Route } from '@throughline/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Caller } from '../guard.ts';

/** Calls a minute. Logins of one account are throttled by the auth feature, which knows the account. */
const LIMITS = { login: 60, account: 60, visitor: 120, session: 1200, noSession: 300 } as const;
type Kind = keyof typeof LIMITS;

/** How often a caller may call: each check counts one call, or throws `too_many_requests`. */
export interface RateLimits {
  /** Before anything is known of the caller: by address. */
  byAddress(route: Route, request: FastifyRequest): Promise<void>;
  /** A call of a session. */
  bySession(caller: Caller, request: FastifyRequest): Promise<void>;
  /** A visitor's call, without a session: by address. */
  byVisitor(request: FastifyRequest): Promise<void>;
  /** A call whose session was refused: guessing tokens is slow. */
  refusedSession(request: FastifyRequest): Promise<void>;
}

const NONE: RateLimits = {
  byAddress: async () => {},
  bySession: async () => {},
  byVisitor: async () => {},
  refusedSession: async () => {},
};

/** Needs the rate-limit plugin registered on `app`; counts in this process. */
export function createRateLimits(app: FastifyInstance, on: boolean): RateLimits {
  if (!on) return NONE;
  const keys = new WeakMap<FastifyRequest, string>();
  const checks = Object.fromEntries(
    Object.entries(LIMITS).map(([kind, max]) => [
      kind,
      app.createRateLimit({
        max,
        timeWindow: 60_000,
        // An IPv6 customer has a /64 at least.
        ipv6Subnet: 64,
        keyGenerator: (request) => `${kind}:${keys.get(request) ?? request.ip}`,
      }),
    ]),
  );
  const check = async (kind: Kind, request: FastifyRequest) => {
    const result = await checks[kind]?.(request);
    if (result === undefined || result.isAllowed || !result.isExceeded) return;
    throw new AppError('too_many_requests', undefined, { retryAfterSeconds: result.ttlInSeconds });
  };
  return {
    async byAddress(route, request) {
      const { access } = route;
      if (access.by === 'anyone' && access.limit !== undefined) await check(access.limit, request);
    },
    async bySession(caller, request) {
      keys.set(request, caller.sessionId);
      await check('session', request);
    },
    byVisitor: (request) => check('visitor', request),
    refusedSession: (request) => check('noSession', request),
  };
}
