import { createServer } from 'node:http';
import { router } from './club/router.mjs';

createServer((request, response) => {
  router(request)
    .catch((error) => [error.status ?? 500, { error: error.message }])
    .then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
}).listen(Number(process.env.PORT), '127.0.0.1');
