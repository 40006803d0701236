import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOperatorError } from './errors.ts';

const MINUTE_MS = 60_000;
/** Refusals that one minute adds to the log: anyone can cause them. */
export const MAX_LOGGED_REFUSALS = 60;

/** Notes each answered request. Values of an address are left out: links to invitations and new passwords have their tokens there. */
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

/** The route's own words; of a page of the dashboard, or an address that nothing answers to, the first part at most. */
function describePath({ routeOptions, url }: FastifyRequest): string {
  const template = routeOptions.url;
  if (template !== undefined && !template.includes('*')) return template;
  const [, first = '', ...rest] = (url.split('?', 1)[0] ?? '').split('/');
  if (rest.length === 0 && !isDeclaredName(first)) return '/…';
  return rest.length === 0 ? `/${first}` : `/${isDeclaredName(first) ? first : '…'}/…`;
}

/** A name as programs give them: short, and of letters alone, which a token is not. */
function isDeclaredName(name: string): boolean {
  return /^[a-zA-Z-]{0,20}$/.test(name);
}
