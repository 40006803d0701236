import { createServer } from 'node:http';
import { respond } from './src/router.ts';

createServer((request, response) => {
  respond(request).then(({ status, body }) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
