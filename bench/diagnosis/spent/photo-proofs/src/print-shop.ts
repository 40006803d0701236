import fastify from 'fastify';
import { OrderService, type NewOrder } from './order-service.ts';
import { findPhoto } from './photos.ts';

export function printShop() {
  const app = fastify();
  const orders = new OrderService();

  app.get<{ Params: { id: string } }>('/photos/:id', ({ params }) => findPhoto(params.id));

  app.post<{ Body: NewOrder }>('/orders', async ({ body }, reply) => {
    const order = await orders.place(body);
    return reply.code(201).send(order);
  });

  return app;
}
