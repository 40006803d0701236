import fastify from 'fastify';
import { book, type BookingRequest } from './bookings.ts';
import { findClass } from './timetable.ts';

export function createApp() {
  const app = fastify();

  app.get<{ Params: { id: string } }>('/classes/:id', ({ params }) => findClass(params.id));

  app.post<{ Params: { id: string }; Body: BookingRequest }>(
    '/classes/:id/bookings',
    async (request, reply) => {
      const booking = await book(request.params.id, request.body);
      return reply.code(201).send(booking);
    }
  );

  return app;
}
