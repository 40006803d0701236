import type { IncomingMessage } from 'node:http';
import { NotFound } from './errors.ts';
import { quote } from './quotes.ts';
import type { Tariff } from './store.ts';
import { increase, replaceTariff } from './tariffs.ts';

async function bodyOf<Body>(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
}

async function perform(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://lifts');
  const [, root, resort = '', action = ''] = url.pathname.split('/');
  const number = (name: string) => Number(url.searchParams.get(name) ?? 0);
  switch (`${request.method} ${root} ${action}`) {
    case 'GET quotes ':
      return quote(resort, { adults: number('adults'), children: number('children'), days: number('days') || 1 });
    case 'PUT resorts tariff':
      return replaceTariff(resort, await bodyOf<Tariff>(request));
    case 'POST resorts increase':
      return increase(resort, (await bodyOf<{ percent: number }>(request)).percent);
    default:
      throw new NotFound('unknown path');
  }
}

export async function respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  try {
    return { status: 200, body: await perform(request) };
  } catch (error) {
    return { status: error instanceof NotFound ? 404 : 500, body: { error: (error as Error).message } };
  }
}
