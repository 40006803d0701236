import fastify from 'fastify';
import { framesPlugin } from './frames/plugin.ts';

export function start(port: number): void {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.register(framesPlugin, { prefix: '/targets' });
  app.listen({ port, host: '127.0.0.1' });
}
