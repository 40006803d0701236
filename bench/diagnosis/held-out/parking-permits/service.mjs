import Fastify from 'fastify';
import { permitRoutes } from './permits/routes.mjs';

const app = Fastify();
app.register(permitRoutes, { prefix: '/garages' });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
