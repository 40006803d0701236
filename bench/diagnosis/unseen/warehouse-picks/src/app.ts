import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkBadge } from './badges.ts';
import { planPick } from './picking.ts';
import { useSite } from './site.ts';
import { stockLevel } from './stock.ts';

async function dispatch(request: IncomingMessage): Promise<unknown> {
  const { pathname } = new URL(request.url ?? '/', 'http://warehouse');
  const { picker, site } = await checkBadge(String(request.headers['x-badge'] ?? ''));
  useSite(site);
  const [, resource, id = ''] = pathname.split('/');
  if (request.method === 'POST' && resource === 'picks') return planPick(id, picker);
  if (request.method === 'GET' && resource === 'stock') return stockLevel(id);
  throw Object.assign(new Error('no such path'), { status: 404 });
}

export async function listener(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json');
  try {
    response.end(JSON.stringify(await dispatch(request)));
  } catch (error) {
    const { status = 500, message } = error as Error & { status?: number };
    response.statusCode = status;
    response.end(JSON.stringify({ error: message }));
  }
}
