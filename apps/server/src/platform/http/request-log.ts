import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOperatorError } from './errors.ts';

const MINUTE_MS = 60_000;
/**
 * Maximum number of rejected requests per minute that are logged at level info, since anyone can cause rejected requests. Further rejected
 * requests are logged at level debug.
 */
export const MAX_LOGGED_REFUSALS = 60;

/**
 * Logs each request after its response: at level info if it was rejected with an error that users may report to the operator, otherwise at
 * level debug. Leaves out the values in URLs, since the links of invitations and password resets contain their tokens.
 */
export function logRequests(app: FastifyInstance): void {
  const isWithinBound = createMinuteBound();
  app.addHook('onResponse', async (request, reply) => {
    const code = findOperatorError(request);
    const level = code !== undefined && isWithinBound() ? 'info' : 'debug';
    request.log[level]({
      method: request.method,
      path: describePath(request),
      query: Object.keys(request.query ?? {}).filter((name) => isDeclaredName(name)),
      status: reply.statusCode,
      ...(code !== undefined && { code }),
      ms: Math.round(reply.elapsedTime),
    });
  });
}

function createMinuteBound(): () => boolean {
  let minute = 0;
  let count = 0;
  return () => {
    const current = Math.floor(Date.now() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      count = 0;
    }
    count += 1;
    return count <= MAX_LOGGED_REFUSALS;
  };
}

/**
 * Returns the route's template. For dashboard pages and unknown URLs, returns at most the first path segment.
 */
function describePath({ routeOptions, url }: FastifyRequest): string {
  const template = routeOptions.url;
  if (template !== undefined && !template.includes('*')) return template;
  const [, first = '', ...rest] = (url.split('?', 1)[0] ?? '').split('/');
  if (rest.length === 0 && !isDeclaredName(first)) return '/…';
  return rest.length === 0 ? `/${first}` : `/${isDeclaredName(first) ? first : '…'}/…`;
}

/** True for a short name of only letters and dashes. Such a name is logged; any other text could be a token. */
function isDeclaredName(name: string): boolean {
  return /^[a-zA-Z-]{0,20}$/.test(name);
}
