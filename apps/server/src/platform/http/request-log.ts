import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Notes each answered request. Values of an address are left out: links to invitations and new passwords have their tokens there. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug({
      method: request.method,
      path: describePath(request),
      query: Object.keys(request.query ?? {}).filter((name) => isDeclaredName(name)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
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
