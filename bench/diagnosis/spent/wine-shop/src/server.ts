import fastify from 'fastify';
import { Catalogue } from './catalogue.ts';
import { Cellar } from './cellar.ts';
import { OrderDesk, type OrderLine } from './order-desk.ts';

export function buildServer() {
  const server = fastify();
  const catalogue = new Catalogue();
  const desk = new OrderDesk(catalogue, new Cellar());

  server.get<{ Params: { sku: string } }>('/wines/:sku', async ({ params }, reply) => {
    const wine = await catalogue.find(params.sku);
    return wine ?? reply.code(404).send({ error: `no wine ${params.sku}` });
  });

  server.post<{ Body: { customer: string; lines: OrderLine[] } }>('/orders', async ({ body }, reply) => {
    reply.code(201);
    return desk.place(body.customer, body.lines);
  });

  return server;
}
