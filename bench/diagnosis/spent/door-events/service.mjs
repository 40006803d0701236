import { createServer } from 'node:http';
import { findClient } from './access/clients.mjs';
import { listEvents } from './events/list-events.mjs';

const json = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const server = createServer((request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  if (url.pathname !== '/events') return json(response, 404, { error: 'unknown path' });
  return findClient(request)
    .then((client) => listEvents(client, url.searchParams))
    .then((page) => json(response, 200, page))
    .catch((error) => json(response, error.status ?? 500, { error: error.message }));
});

server.listen(Number(process.env.PORT), '127.0.0.1');
