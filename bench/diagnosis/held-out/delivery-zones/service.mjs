import { createServer } from 'node:http';
import { planTour } from './tours.mjs';

const server = createServer((req, res) => {
  const tour = /^\/tours\/(\w+)$/.exec(req.url)?.[1];
  const send = (status, data) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(data));
  };
  if (tour === undefined) return send(404, { error: 'not found' });
  planTour(tour).then(
    (plan) => send(plan ? 200 : 404, plan ?? { error: 'no such tour' }),
    (error) => send(500, { error: error.message }),
  );
});

server.listen(Number(process.env.PORT), '127.0.0.1');
