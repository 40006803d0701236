import { createServer } from 'node:http';
import { routes } from './src/routes.ts';

createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const match = routes.find(({ method, path }) => method === request.method && path.test(request.url));
  let reply = { status: 404, body: { error: 'not found' } };
  if (match) {
    try {
      const id = match.path.exec(request.url)[1];
      reply = { status: 200, body: await match.run(id, text) };
    } catch (error) {
      reply = { status: error.status ?? 500, body: { error: error.message } };
    }
  }
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply.body));
}).listen(Number(process.env.PORT), '127.0.0.1');
