import Fastify from 'fastify';
import { contactsPlugin } from './contacts/plugin.mjs';

const app = Fastify({ bodyLimit: 64 * 1024 });
app.setErrorHandler((error, _request, reply) =>
  reply.code(error.statusCode ?? 500).send({ error: error.message }),
);
await app.register(contactsPlugin, { prefix: '/alumni' });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
