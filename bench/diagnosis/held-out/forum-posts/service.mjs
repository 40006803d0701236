import Fastify from 'fastify';
import threads from './plugins/threads.mjs';

const fastify = Fastify();
await fastify.register(threads);
await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
