import Fastify, { type FastifyInstance } from 'fastify';
import { BookingService } from './booking-service.ts';
import { FerryRepository } from './ferry-repository.ts';
import type { BookingRequest } from './types.ts';

export function buildApp(): FastifyInstance {
  const app = Fastify();
  const bookings = new BookingService(new FerryRepository());

  app.post<{ Body: BookingRequest }>('/bookings', async (request, reply) => {
    const booking = await bookings.book(request.body);
    reply.code(201);
    return booking;
  });

  app.setErrorHandler<Error & { status?: number }>((error, _request, reply) =>
    reply.code(error.status ?? 500).send({ error: error.name, message: error.message }),
  );
  return app;
}
