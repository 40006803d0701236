import Fastify from 'fastify';
import { createLedger } from './billing/ledger.mjs';
import { rentalRoutes } from './rentals/routes.mjs';
import { createRentalStore } from './rentals/store.mjs';

const app = Fastify({ genReqId: () => crypto.randomUUID() });
const store = createRentalStore();
const ledger = createLedger();

app.setErrorHandler((error, request, reply) => {
  reply.code(error.statusCode ?? 500).send({ error: error.message, request: request.id });
});
app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }));
app.register(rentalRoutes, { prefix: '/rentals', store, ledger });

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
