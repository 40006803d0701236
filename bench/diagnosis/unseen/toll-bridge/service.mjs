import http from 'node:http';
import { crossings } from './toll/crossings.mjs';
import { accounts } from './toll/accounts.mjs';

const handlers = {
  'POST /crossings': (body) => crossings.record(body),
  'GET /accounts': (_, params) => accounts.statement(params.get('tag')),
};

const server = http.createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://bridge');
  const handler = handlers[`${request.method} ${pathname}`];
  response.setHeader('content-type', 'application/json');
  if (!handler) {
    response.statusCode = 404;
    return response.end('{"error":"not found"}');
  }
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    response.end(JSON.stringify(await handler(text ? JSON.parse(text) : null, searchParams)));
  } catch (error) {
    response.statusCode = error.status ?? 500;
    response.end(JSON.stringify({ error: error.message }));
  }
});

server.listen(Number(process.env.PORT), '127.0.0.1');
