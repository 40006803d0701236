import Fastify from 'fastify';
import { appointments } from './plugins/appointments.mjs';

const app = Fastify({ genReqId: () => `vc-${Math.random().toString(36).slice(2, 10)}` });

app.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ message: error.message, ref: request.id });
});
app.register(appointments, { prefix: '/clinics/:clinic/appointments' });

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
