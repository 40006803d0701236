import fastify from 'fastify';
import { quote } from './desk.mjs';

const app = fastify();

app.get('/quotes', {
  schema: {
    querystring: {
      type: 'object',
      required: ['from', 'to', 'amount'],
      properties: { from: { type: 'string' }, to: { type: 'string' }, amount: { type: 'number' } },
    },
  },
}, (request) => quote(request.query));

app.setErrorHandler((error, _request, reply) => {
  reply.status(error.validation ? 400 : 502).send({ error: error.message });
});

app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
