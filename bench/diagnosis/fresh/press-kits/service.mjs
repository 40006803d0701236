import Fastify from 'fastify';
import kits from './kits/plugin.mjs';
import press from './press/plugin.mjs';

const app = Fastify();
app.setErrorHandler((error, _request, reply) => {
  reply.code(error.statusCode ?? 500).send({ error: error.message, code: error.code ?? 'INTERNAL' });
});
await app.register(press);
await app.register(kits, { prefix: '/kits' });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
