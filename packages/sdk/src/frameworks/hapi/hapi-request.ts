import { findRequestTrace, getCurrentTrace, type RequestTrace } from '../../http/trace/request-trace.ts';
import { isObject } from '../../internal/is-object.ts';

/** The parts of a Hapi route that the SDK reads. */
export interface HapiRoute {
  readonly method: unknown;
  readonly path: string;
  readonly settings: { readonly handler?: unknown };
}

export function readHapiRoute(request: unknown): HapiRoute | undefined {
  const route = isObject(request) && 'route' in request ? request.route : undefined;
  return isRoute(route) ? route : undefined;
}

function isRoute(route: unknown): route is HapiRoute {
  return (
    isObject(route) &&
    'method' in route &&
    'path' in route &&
    typeof route.path === 'string' &&
    'settings' in route &&
    isObject(route.settings)
  );
}

/** True for the routes with which Hapi itself responds if none of the host's routes matches. */
export function isOwnRoute({ method }: HapiRoute): boolean {
  return method === '_special';
}

export function findHapiTrace(request: unknown): RequestTrace | undefined {
  const raw = isObject(request) && 'raw' in request ? request.raw : undefined;
  const req = isObject(raw) && 'req' in raw ? raw.req : undefined;
  return isObject(req) ? findRequestTrace(req) : getCurrentTrace();
}
