import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';
import { isLoopbackName, readHostName } from './local-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route accepts requests under any host name, because its callers authenticate with a key. */
    readonly anyHost?: boolean;
  }
}

/**
 * Rejects requests to a development server under an unknown host name. Otherwise a page of another site, whose name resolves to this
 * machine (DNS rebinding), could read everything that is accessible from this machine.
 */
export function refuseUnknownHosts(app: FastifyInstance, publicUrl: string | undefined): void {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.anyHost === true) return;
    const name = readHostName(request.raw);
    if (name !== own && !isLoopbackName(name)) throw new AppError('unknown_host');
  });
}
