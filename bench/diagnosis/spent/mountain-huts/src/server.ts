import { createServer, type ServerResponse } from 'node:http';
import { findHut } from './huts.ts';
import { parseStay } from './stay.ts';
import { quote } from './quote.ts';
import { HttpError } from './http-error.ts';

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

async function route(path: string, params: URLSearchParams): Promise<unknown> {
  const [, collection, id, action] = path.split('/');
  if (collection !== 'huts' || id === undefined) throw new HttpError(404, 'not found');
  const hut = await findHut(id);
  if (action === undefined) return { name: hut.name, altitude: hut.altitude };
  if (action === 'quote') return quote(hut, parseStay(params));
  throw new HttpError(404, 'not found');
}

export function serve(port: number): void {
  createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://huts.local');
    try {
      send(response, 200, await route(url.pathname, url.searchParams));
    } catch (error) {
      if (error instanceof HttpError) send(response, error.status, { error: error.message });
      else send(response, 500, { error: `internal error: ${(error as Error).message}` });
    }
  }).listen(port, '127.0.0.1');
}
