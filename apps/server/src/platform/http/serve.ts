import { API_LIMITS, describeApiExcess, type ErrorCode, mayDo, type Route } from '@throughline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OrganizationId } from '../ids.ts';
import { FairMutex } from '../queues/fair-mutex.ts';
import { AppError, buildValidationError, refuseField } from './errors.ts';
import type { Caller, Guard, RoleScope, Scope, SessionAccess, VisibleProject } from './guard.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { requireRecentAuthentication } from './recent-authentication.ts';

/**
 * Returned by a handler that has sent the response itself through `reply`: a stream, or an already serialized
 * body.
 */
export const handled = Symbol('handled');

/**
 * Maximum number of concurrent lookups of sessions and roles; callers take turns. In the embedded store a lookup runs in this thread: a
 * thousand concurrent lookups blocked the process for seconds.
 */
const MAX_CHECKS = 8;
const checks = new FairMutex(MAX_CHECKS);

/** Sends a body that is already JSON. */
export function sendJson(reply: FastifyReply, json: string | Buffer): typeof handled {
  reply.type('application/json; charset=utf-8').send(json);
  return handled;
}

/** Services shared by an app's routes. */
export interface HttpContext {
  readonly app: FastifyInstance;
  readonly guard: Guard;
  readonly rateLimits: RateLimits;
}

export interface PublicCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Call<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  readonly caller: Caller;
  readonly scope: Scope;
}

type Answer<A extends z.ZodType> = Promise<z.input<A> | typeof handled>;

/**
 * Registers a route for callers with a session or an access token. Before the handler is called, checks the session or token, its rate
 * limit, the caller's role, the input and, if required, recent authentication. On a route for public viewers, `forPublicViewer` handles
 * requests without an authorization header, and requests that ended with `not_found` for the caller. If `forPublicViewer` returns
 * undefined, the response is the error that a route without public viewers would give.
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  http: HttpContext,
  route: Route<P, Q, B, A>,
  handler: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Answer<A>,
  forPublicViewer?: (
    call: PublicCall<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<z.input<A> | typeof handled | undefined>,
): void {
  const { access } = route;
  if (access.by !== 'session') throw new Error(`${route.path} is not a route for sessions`);
  if ((access.publicViewers === true) !== (forPublicViewer !== undefined)) {
    throw new Error(
      `${route.path} must declare access for public viewers if and only if the route has a handler for public viewers`,
    );
  }
  const bySession = async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, params, scope } = await checks.run(request.headers.authorization ?? '', async () => {
      const caller = await findCaller(http, route, request);
      await http.rateLimits.bySession(caller, request);
      // The permission is checked before the query and the body, so that a caller without permission does not learn whether the query and
      // the body are valid.
      const params = readPart(route.params, request.params);
      return { caller, params, scope: await findScope(http.guard, route, access, caller, params) };
    });
    const rest = readRest(route, request);
    await requireRecentAuthentication(http.guard, route, caller, rest.body);
    return handler({ params, ...rest, request, reply, caller, scope });
  };
  const byPublicViewer = async (request: FastifyRequest, reply: FastifyReply, refusal: AppError) => {
    if (forPublicViewer === undefined) throw refusal;
    const params = readPart(route.params, request.params);
    const answer = await forPublicViewer({ params, ...readRest(route, request), request, reply });
    if (answer === undefined) throw refusal;
    return answer;
  };
  const answerRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (forPublicViewer === undefined) return bySession(request, reply);
    if (request.headers.authorization === undefined) {
      await http.rateLimits.byPublicViewer(request);
      return byPublicViewer(request, reply, new AppError('unauthenticated'));
    }
    try {
      return await bySession(request, reply);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      return byPublicViewer(request, reply, error);
    }
  };
  http.app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const answer = await answerRequest(request, reply);
      return answer === handled ? reply : reply.code(route.status ?? 200).send(answer);
    },
  });
}

/**
 * Registers a route without a session. Checks the rate limit of the address, and the request's parameters, query and body against the
 * route's schemas.
 */
export function serveAnyone<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  http: HttpContext,
  route: Route<P, Q, B, A>,
  handler: (call: PublicCall<z.output<P>, z.output<Q>, z.output<B>>) => Answer<A>,
): void {
  if (route.access.by !== 'anyone') throw new Error(`${route.path} is not a route that works without login`);
  http.app.route({
    method: route.method,
    url: route.path,
    bodyLimit: API_LIMITS.openBodyBytes.max,
    handler: async (request, reply) => {
      await http.rateLimits.byAddress(route, request);
      const params = readPart(route.params, request.params);
      const answer = await handler({ params, ...readRest(route, request), request, reply });
      return answer === handled ? reply : reply.code(route.status ?? 200).send(answer);
    },
  });
}

export function getProject(scope: Scope): VisibleProject {
  if (scope.on !== 'project') throw new Error(`a route on ${scope.on} asked for its project`);
  return scope.project;
}

/** Returns the projects that can contain the trace on which a route acts, and the projects in which the caller lacks permission. */
export function getTraceScope(scope: Scope): Extract<Scope, { readonly on: 'trace' }> {
  if (scope.on !== 'trace') throw new Error(`a route on ${scope.on} asked for the trace's projects`);
  return scope;
}

export function getOrganization(scope: Scope): OrganizationId {
  if (scope.on !== 'organization') throw new Error(`a route on ${scope.on} asked for its organization`);
  return scope.organizationId;
}

/** Error codes of requests without a valid session or access token. */
const UNKNOWN_CALLER: ReadonlySet<string> = new Set<ErrorCode>([
  'unauthenticated',
  'invalid_access_token',
  'session_required',
]);

async function findCaller(http: HttpContext, route: Route, request: FastifyRequest): Promise<Caller> {
  try {
    return await http.guard.caller(request, route);
  } catch (error) {
    if (error instanceof AppError && UNKNOWN_CALLER.has(error.code)) {
      await http.rateLimits.refusedSession(request);
    }
    throw error;
  }
}

async function findScope(
  guard: Guard,
  route: Route,
  access: SessionAccess,
  caller: Caller,
  params: unknown,
): Promise<Scope> {
  if (!('action' in access)) return { on: 'none' };
  const id = z.object({ id: z.string() }).safeParse(params).data?.id ?? '';
  const scope = await guard.scope(caller, access.on, id);
  // Routes that must not reveal whether a resource exists do not declare `not_found`.
  if (scope === undefined) throw new AppError(route.errors.includes('not_found') ? 'not_found' : 'forbidden');
  if (scope.on === 'trace') {
    const may = (project: VisibleProject) => mayDo(project.role, access.action);
    return {
      ...scope,
      projects: scope.projects.filter(may),
      readOnly: scope.projects.filter((p) => !may(p)),
    };
  }
  if (!mayDo(readRole(scope), access.action)) throw new AppError('forbidden');
  return scope;
}

function readRole(scope: Exclude<RoleScope, { readonly on: 'trace' }>) {
  return scope.on === 'project' ? scope.project.role : scope.role;
}

function readRest<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Route<P, Q, B>,
  request: FastifyRequest,
) {
  boundParameters(request.query);
  return {
    query: readPart(route.query, request.query),
    body: readPart(route.body, request.body ?? undefined),
  };
}

/** Throws an error if the query has too many parameters. @throws AppError `validation_failed` */
function boundParameters(query: unknown): void {
  const { max } = API_LIMITS.queryParameters;
  const count = Object.values(query ?? {}).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
  if (count > max)
    throw new AppError('validation_failed', describeApiExcess('queryParameters'), {
      details: { limit: max, limitName: 'queryParameters' },
    });
}

function readPart<S extends z.ZodType>(schema: S | undefined, given: unknown): z.output<S> {
  if (schema === undefined) return undefined as z.output<S>;
  const nul = findNul(given, []);
  if (nul !== undefined) {
    throw refuseField(nul, 'must not contain the character NUL');
  }
  const read = schema.safeParse(given);
  if (!read.success) throw buildValidationError(read.error);
  return read.data;
}

/** Finds the path of a string with a NUL character, which PostgreSQL cannot store. */
function findNul(value: unknown, path: readonly string[]): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path.join('.') : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findNul(member, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
