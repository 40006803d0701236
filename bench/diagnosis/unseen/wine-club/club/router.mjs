import { accountOf } from './accounts.mjs';
import { stockOf } from './cellars.mjs';
import { placeOrder } from './orders.mjs';

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

export async function router(request) {
  const [, resource, id] = request.url.split('/');
  if (request.method === 'POST' && resource === 'orders') return [201, await placeOrder(await bodyOf(request))];
  if (request.method === 'GET' && resource === 'stock') return [200, stockOf(id)];
  if (request.method === 'GET' && resource === 'members') {
    const { name, level } = await accountOf(id);
    return [200, { name, level }];
  }
  return [404, { error: 'not found' }];
}
