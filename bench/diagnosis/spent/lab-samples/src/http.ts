import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { LabError } from './lab-error.ts';
import { orderTests, type TestRequest } from './orders.ts';
import { findSample } from './samples.ts';

async function handle(request: IncomingMessage): Promise<[number, unknown]> {
  const [, collection, id, action] = (request.url ?? '/').split('/');
  if (collection !== 'samples' || id === undefined) throw new LabError(404, 'not found');
  if (request.method === 'GET' && action === undefined) return [200, await findSample(id)];
  if (request.method === 'POST' && action === 'orders') {
    return [201, await orderTests(id, (await json(request)) as TestRequest)];
  }
  throw new LabError(405, 'method not allowed');
}

export function startServer(port: number): void {
  const server = createServer(async (request, response) => {
    let status: number;
    let body: unknown;
    try {
      [status, body] = await handle(request);
    } catch (error) {
      status = error instanceof LabError ? error.status : 500;
      body = { error: (error as Error).message };
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(port, '127.0.0.1');
}
