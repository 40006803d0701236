import { createServer } from 'node:http';
import { listCarriers, quote } from './src/quotes.ts';

const routes = {
  'GET /carriers': () => listCarriers(),
  'POST /quotes': (body) => quote(body),
};

createServer(async (request, response) => {
  const run = routes[`${request.method} ${request.url}`];
  let status = run ? 200 : 404;
  let body = { error: 'not found' };
  try {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (run) body = await run(text === '' ? undefined : JSON.parse(text));
  } catch (error) {
    status = error.status ?? 500;
    body = { error: error.message };
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}).listen(Number(process.env.PORT), '127.0.0.1');
