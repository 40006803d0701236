import { articleOf } from './articles.ts';
import { countryOf } from './countries.ts';
import { declare, type Order } from './declaration.ts';

interface Answer {
  status: number;
  body: unknown;
}

export async function route(method: string, path: string, body: unknown): Promise<Answer> {
  const [, resource, id = ''] = path.split('/');
  switch (`${method} ${resource}`) {
    case 'GET countries':
      return { status: 200, body: countryOf(id) };
    case 'GET articles':
      return { status: 200, body: await articleOf(id) };
    case 'POST declarations':
      return { status: 201, body: await declare(body as Order) };
    default:
      return { status: 404, body: { error: 'not found' } };
  }
}
