import http from 'node:http';
import { inbound } from './inbound.mjs';

const routes = { 'POST /inbound/email': inbound };

const server = http.createServer(async (req, res) => {
  const route = routes[`${req.method} ${req.url.split('?')[0]}`];
  const answer = (status, body) => res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  if (!route) return answer(404, { error: 'no route' });
  try {
    const chunks = await Array.fromAsync(req);
    answer(200, await route(JSON.parse(Buffer.concat(chunks).toString())));
  } catch (error) {
    answer(error.status ?? 500, { error: error.message });
  }
});
server.listen(process.env.PORT, '127.0.0.1');
