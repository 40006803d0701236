import { createServer } from 'node:http';
import { api } from './results/api.ts';

createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const reply = await api(`${request.method} ${request.url}`, text);
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
}).listen(Number(process.env.PORT), '127.0.0.1');
