import type { Route } from '@throughline/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Caller } from '../guard.ts';

/** Maximum requests per minute. */
const LIMITS = { login: 60, account: 60, public: 120, session: 1200, noSession: 300 } as const;
type Kind = keyof typeof LIMITS;

/** Rate limits. Each function counts one request, and throws `too_many_requests` above the limit. */
export interface RateLimits {
  /** Counts by IP address, before anything is known about the caller. */
  byAddress(route: Route, request: FastifyRequest): Promise<void>;
  /** Counts by session or access token. */
  bySession(caller: Caller, request: FastifyRequest): Promise<void>;
  /** Counts by IP address, for viewers without a session. */
  byPublicViewer(request: FastifyRequest): Promise<void>;
  /** Counts requests whose session token or access token was rejected, by IP address. Slows down the guessing of tokens. */
  refusedSession(request: FastifyRequest): Promise<void>;
}

const NONE: RateLimits = {
  byAddress: async () => {},
  bySession: async () => {},
  byPublicViewer: async () => {},
  refusedSession: async () => {},
};

/** Counts requests in this process; counts nothing if `on` is false. Requires the rate-limit plugin to be registered on `app`. */
export function createRateLimits(app: FastifyInstance, on: boolean): RateLimits {
  if (!on) return NONE;
  const keys = new WeakMap<FastifyRequest, string>();
  const checks = Object.fromEntries(
    Object.entries(LIMITS).map(([kind, max]) => [
      kind,
      app.createRateLimit({
        max,
        timeWindow: 60_000,
        // All addresses of a /64 network share one count, because each IPv6 customer has at least a /64.
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
    byPublicViewer: (request) => check('public', request),
    refusedSession: (request) => check('noSession', request),
  };
}
