import { createServer } from 'node:http';
import { handle } from './lab/handle.ts';

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { status, body } = await handle(request.method, request.url, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
