import { createServer } from 'node:http';
import { respond } from './hire/controller.ts';

createServer((request, response) => {
  respond(new URL(request.url ?? '/', 'http://localhost'))
    .catch((error) => ({ status: error.status ?? 500, body: { error: error.message } }))
    .then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
}).listen(Number(process.env.PORT), '127.0.0.1');
