import Fastify from 'fastify';
import { quoteRoutes } from './quotes/routes.mjs';

const app = Fastify();
app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? error.status ?? 500;
  reply.status(status).send({ title: error.message, status });
});
app.addHook('onSend', async (request, reply) => {
  reply.header('x-request', request.id);
});
await app.register(quoteRoutes);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
