import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

const YEAR_SECONDS = 31_536_000;
const NOT_BUILT = 'The dashboard is not built: run `npm run build`, or `npm run dev` to work on it.';

/**
 * Serves the built dashboard: hashed assets, which browsers can cache forever, and the dashboard's page for other URLs, so that all URLs of
 * the dashboard can be opened and reloaded. Unknown URLs below /api, /sdk, /v1 and /assets, and unknown URLs with a file extension, get an
 * API error.
 */
export async function serveDashboard(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(`${folder}/index.html`);
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      // Registers one route per file. A wildcard route would list the folder at each request, to compare the spelling of the path.
      wildcard: false,
      // The build compresses each file once, so that the server does not compress it at each request.
      preCompressed: true,
      globIgnore: ['**/*.{br,gz}'],
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes(`${sep}assets${sep}`);
        reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(api|sdk|v1|assets)(\/|$)/.test(path) &&
      !path.startsWith('//') &&
      !/\.\w+$/.test(path);
    if (!isPage) throw new AppError('not_found');
    // Links to single traces are for their recipients, not for search engines.
    if (path.startsWith('/shared/')) reply.header('x-robots-tag', 'noindex');
    if (!built) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
