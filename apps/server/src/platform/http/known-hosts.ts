import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';
import { isLoopbackName, readHostName } from './local-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reached by whatever name: the caller proves who it is by a key, and not by where it is. */
    readonly anyHost?: boolean;
  }
}

/**
 * Refuses requests that call a development server by another name than its own. A page of another site whose name was made to lead to this
 * machine (DNS rebinding) could read everything that is open to this machine otherwise.
 */
export function refuseUnknownHosts(app: FastifyInstance, publicUrl: string | undefined): void {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.anyHost === true) return;
    const name = readHostName(request.raw);
    if (name !== own && !isLoopbackName(name)) throw new AppError('unknown_host');
  });
}
