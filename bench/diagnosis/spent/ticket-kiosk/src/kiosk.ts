import fastify from 'fastify';
import { fareOf } from './fares.ts';
import { pay, type Payment } from './payment.ts';

export function kiosk() {
  const server = fastify();

  server.get<{ Params: { ticket: string } }>('/fares/:ticket', async ({ params }) => {
    return { ticket: params.ticket, fare: await fareOf(params.ticket) };
  });

  server.post<{ Body: Payment }>('/payments', ({ body }) => pay(body));

  return server;
}
