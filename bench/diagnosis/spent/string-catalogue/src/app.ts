import fastify, { type FastifyError } from 'fastify';
import { entryOf } from './catalogue.ts';
import { findTranslator } from './translators.ts';
import { submit, type Submission } from './submissions.ts';

export function createApp() {
  const app = fastify();

  app.setErrorHandler((error: FastifyError, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send({ error: error.message });
  });

  app.get<{ Params: { key: string } }>('/strings/:key', async ({ params }) => entryOf(params.key));

  app.put<{ Params: { key: string }; Body: Submission }>('/strings/:key', async (request) => {
    const translator = await findTranslator(String(request.headers['x-translator']));
    const entry = await entryOf(request.params.key);
    return submit(entry, request.body, translator);
  });

  return app;
}
