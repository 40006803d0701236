import { createServer } from 'node:http';
import { route } from './src/routes.ts';

async function answer(request) {
  try {
    let text = '';
    for await (const chunk of request) text += chunk;
    return await route(request.method, request.url, text === '' ? undefined : JSON.parse(text));
  } catch (error) {
    return { status: error.status ?? 500, body: { error: error.message } };
  }
}

createServer(async (request, response) => {
  const { status, body } = await answer(request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}).listen(Number(process.env.PORT), '127.0.0.1');
