import type { IncomingMessage, ServerResponse } from 'node:http';
import { find, submit, type Draft } from './desk.ts';

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function result(request: IncomingMessage): Promise<[number, unknown]> {
  if (request.method === 'POST' && request.url === '/ads') {
    return [200, await submit(JSON.parse(await textOf(request)) as Draft)];
  }
  const id = /^\/ads\/(\d+)$/.exec(request.url ?? '')?.[1];
  const ad = id ? await find(Number(id)) : undefined;
  return ad ? [200, ad] : [404, { error: 'not found' }];
}

export async function app(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await result(request).catch((error: Error): [number, unknown] => [
    500,
    { error: error.message },
  ]);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
