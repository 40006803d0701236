import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { findFlat } from './flats.ts';
import { planViewings, type ViewingSeries } from './viewings.ts';

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const match = /^\/flats\/([\w-]+)(\/viewings)?$/.exec(request.url ?? '');
  const flat = match && (await findFlat(match[1] as string));
  if (!flat) return reply(response, 404, { error: 'not found' });
  if (request.method === 'GET') return reply(response, 200, flat);
  reply(response, 201, await planViewings(flat, (await json(request)) as ViewingSeries));
}

export function listen(port: number): void {
  createServer((request, response) => {
    serve(request, response).catch((error) => reply(response, error.status ?? 500, { error: error.message }));
  }).listen(port, '127.0.0.1');
}
