import { createServer } from 'node:http';
import { answer } from './src/answer.ts';

createServer(async (request, response) => {
  const { status, body } = await answer(request.url ?? '/');
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}).listen(Number(process.env.PORT), '127.0.0.1');
