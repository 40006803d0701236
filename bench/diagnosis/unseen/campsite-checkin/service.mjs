import { createServer } from 'node:http';
import { desk } from './src/desk.ts';

createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  try {
    let text = '';
    for await (const chunk of request) text += chunk;
    send(200, await desk(request.method, new URL(request.url, 'http://desk'), text));
  } catch (error) {
    send(error.status ?? 500, { error: error.message });
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
