import './config.mjs';
import Fastify from 'fastify';
import { invoiceFor } from './billing/invoice.mjs';

const server = Fastify({ logger: false });

server.get('/bookings/:id/invoice', async ({ params }, reply) => {
  const invoice = await invoiceFor(params.id);
  return invoice ?? reply.code(404).send({ error: 'no such booking' });
});

server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }, (err) => {
  if (err) throw err;
});
