import Fastify from 'fastify';
import { sessionRoutes } from './sessions/routes.mjs';

const app = Fastify({ requestIdHeader: 'x-request-id' });
app.register(sessionRoutes, { prefix: '/sessions' });
app.setErrorHandler((error, request, reply) => {
  reply.code(error.statusCode ?? 500).send({ error: error.message, request: request.id });
});
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
