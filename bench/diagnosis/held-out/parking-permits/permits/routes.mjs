import { admit } from './gate.mjs';

export async function permitRoutes(app) {
  app.setErrorHandler((error, request, reply) => {
    reply.code(error.statusCode ?? 500).send({ code: error.code, message: error.message });
  });

  app.post('/:garage/entries', async (request, reply) => {
    const entry = await admit(request.params.garage, request.body.plate);
    return reply.code(201).send(entry);
  });
}
